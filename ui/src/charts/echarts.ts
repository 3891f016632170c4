/** Only EChart.vue loads this module: it is large. */
import { BarChart, CustomChart, LineChart, ParallelChart, ScatterChart } from 'echarts/charts';
import {
  BrushComponent,
  DataZoomComponent,
  DatasetComponent,
  GridComponent,
  MarkLineComponent,
  ParallelComponent,
  TooltipComponent,
} from 'echarts/components';
import { init, use } from 'echarts/core';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';

use([
  BarChart,
  CustomChart,
  LineChart,
  ParallelChart,
  ScatterChart,
  BrushComponent,
  DataZoomComponent,
  DatasetComponent,
  GridComponent,
  MarkLineComponent,
  ParallelComponent,
  TooltipComponent,
  CanvasRenderer,
  SVGRenderer,
]);

export { init };
