import { useI18n } from 'vue-i18n';

import { fetchRunIds } from '@/api/train_jobs';
import { exactPattern } from '@/base/pattern';
import { printPage } from '@/paper/printing';
import { useAnswer } from '@/store/answer';
import { jobName } from '@/store/job_name';
import { useCopiedCommand } from '@/store/copied_command';
import { useCopiedText } from '@/store/copied_text';
import { useDialogs } from '@/store/dialogs';
import { useOpenedJob } from '@/store/opened_job';
import { useLive } from '@/store/live';
import { useShareLink } from '@/store/share_link';
import { THEMES, usePreferences } from '@/store/preferences';
import { useSavedViews } from '@/store/saved_views';
import { useSavedSnapshot } from '@/store/saved_snapshot';
import { useSelection } from '@/store/selection';
import { useSnapshot } from '@/store/snapshot';
import { useTrainJobs } from '@/store/train_jobs';
import { useUrlState } from '@/store/url_state';
import { dataOf, plugins } from '@/plugins/registry';

import type { Command } from './commands';
import { usePageEntries } from './page_entries';

/** Runs found beyond those that are listed. */
const MOST_FOUND = 50;

/** The commands, with runs that match the text. */
export function useCommands(text: () => string): () => Command[] {
  const { t } = useI18n();
  const url = useUrlState();
  const copied = useCopiedText();
  const shareLink = useShareLink();
  const command = useCopiedCommand();
  const dialogs = useDialogs();
  const live = useLive();
  const open = useOpenedJob();
  const pages = usePageEntries();
  const preferences = usePreferences();
  const savedViews = useSavedViews();
  const selection = useSelection();
  const saved = useSavedSnapshot();
  const snapshot = useSnapshot();
  const jobs = useTrainJobs();

  const serverActions = (): Command[] => [
    action(t('command.link'), () => copied.copy(shareLink())),
    action(t('command.ask'), () => command.copy()),
    ...(saved.isEmpty ? [] : [action(t('command.snapshot'), () => saved.save())]),
    action(t('command.pause'), () => (live.paused = !live.paused)),
  ];

  const actions = (): Command[] => [
    action(t('command.newest'), selection.selectNewest),
    action(t('panel.all'), () => selection.selectMatching()),
    action(t('panel.none'), () => selection.selectOnly([])),
    action(t('command.findings'), () => dialogs.showFindings()),
    action(t('command.undo'), url.undo),
    action(t('command.redo'), url.redo),
    ...(snapshot.facts ? [] : serverActions()),
    action(t('command.print'), () => printPage()),
    ...THEMES.map((theme) => action(t(`app.theme.${theme}`), () => preferences.setTheme(theme))),
    action(t('command.language'), () => preferences.switchLocale()),
    action(t('command.about'), () => dialogs.showAbout()),
  ];

  const places = (): Command[] =>
    pages.places.flatMap(({ name, target, pages: tabs }) => {
      const place = t(`place.${name}`);
      const open =
        (page: string): (() => unknown) =>
        () =>
          url.go(`/${page}`);
      return [
        { kind: 'page', name: place, run: open(target.name) },
        ...(tabs.length === 1 ? [] : tabs).map(({ page }): Command => ({
          kind: 'page',
          name: t(`page.${page.name}`),
          where: t('command.pageIn', { place }),
          run: open(page.name),
        })),
      ];
    });

  const views = (): Command[] =>
    savedViews.views.map((view) => ({
      kind: 'view',
      name: view.name,
      run: () => savedViews.open(view),
    }));

  const { value: beyond } = useAnswer(
    () =>
      jobs.window === null || text().trim() === ''
        ? null
        : { filter: containing(text()), archived: true, limit: MOST_FOUND },
    fetchRunIds,
  );

  const runs = (): Command[] => {
    const listed = jobs.byName.map((job) => job.train_id);
    return [...new Set([...listed, ...(beyond.value?.train_ids ?? [])])].map((id) => ({
      kind: 'run',
      name: jobName(id),
      run: () => open(id),
    }));
  };

  const tags = (): Command[] =>
    plugins.flatMap(({ cardOf, ...plugin }) => {
      if (!cardOf) return [];
      const known = selection.visible.flatMap((id) =>
        dataOf(plugin).flatMap((name) => jobs.byId.get(id)?.plugins[name] ?? []),
      );
      return [...new Set(known.map(cardOf))].map((tag): Command => ({
        kind: 'tag',
        name: tag || t('card.untagged'),
        where: t('command.tagOf', { page: t(`page.${plugin.name}`) }),
        run: () => url.go(`/${plugin.name}`, { tags: exactPattern([tag]) }),
      }));
    });

  const fromPlugins = (): Command[] =>
    plugins.flatMap((plugin) => plugin.commands?.(t, () => url.go(`/${plugin.name}`)) ?? []);

  return () => [...places(), ...views(), ...actions(), ...fromPlugins(), ...tags(), ...runs()];
}

/** The filter for names with all words. */
const containing = (text: string): string =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => (word.includes('"') ? `'${word.replace(/'/g, '')}'` : `"${word}"`))
    .join(' and ');

function action(name: string, run: () => unknown): Command {
  return { kind: 'action', name, run };
}
