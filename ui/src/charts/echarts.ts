/** Only EChart.vue loads this module: it is large. */
import { ParallelChart } from 'echarts/charts';
import { ParallelComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';

use([ParallelChart, ParallelComponent, TooltipComponent, CanvasRenderer]);

export { init };
