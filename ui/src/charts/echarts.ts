/** The parts of ECharts that pages use; only this module names them, and only EChart.vue loads it. */
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
