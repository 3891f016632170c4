/** The page on which the REST interface can be tried: Swagger UI on our own description. */
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
  // Nothing of what is described here leaves this server.
  validatorUrl: null,
});
