/** The page with Swagger UI for the server's OpenAPI description. */
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';

document.documentElement.classList.toggle(
  'dark-mode',
  window.matchMedia('(prefers-color-scheme: dark)').matches,
);

SwaggerUI({
  dom_id: '#rest-api',
  url: './v1/mindviz/openapi.json',
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  // The validator would send the description to another server.
  validatorUrl: null,
});
