import type { PluginCommand, Translate } from '@/plugins/plugin';
import { useScalarView } from './view_state';

export function scalarCommands(t: Translate, open: () => unknown): PluginCommand[] {
  const view = useScalarView();
  const here = (name: string, change: () => unknown): PluginCommand => ({
    kind: 'action',
    name,
    run: () => {
      open();
      change();
    },
  });
  return [
    here(t('command.logX'), () => (view.logX = !view.logX)),
    here(t('command.logY'), () => (view.logY = !view.logY)),
    here(t('command.resetZoom'), () => view.resetZoom()),
    ...(['step', 'relative', 'wall'] as const).map((axis) =>
      here(t('command.axis', { axis: t(`scalar.axes.${axis}`) }), () => (view.xAxis = axis)),
    ),
    ...[0, 0.6, 0.9].map((weight) =>
      here(t('command.smooth', { value: weight }), () => (view.smoothing = weight)),
    ),
  ];
}
