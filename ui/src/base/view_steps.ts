/** What is looked at: a page and its query. */
export interface View {
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
}

/**
 * Why another view is looked at: somebody changed it; a page that came said what it shows, which
 * belongs to the step that led there; or the browser's Back and Forward moved along the steps.
 */
export type Cause = 'change' | 'page' | 'move';

/** Changes of the same arguments within so many milliseconds are one step: typing, a slider. */
const SAME_BREATH = 1_000;
const MOST = 200;

/** The views that somebody has had, for undo and redo. Knows no browser and no clock. */
export class ViewSteps {
  private views: View[] = [];
  private at = -1;
  /** The arguments that the newest step changed, and when. */
  private changed = '';
  private changedAt = -Infinity;

  get canUndo(): boolean {
    return this.at > 0;
  }

  get canRedo(): boolean {
    return this.at < this.views.length - 1;
  }

  /** This is looked at now, and why; see `Cause`. */
  record(view: View, now: number, cause: Cause = 'change'): void {
    const here = this.views[this.at];
    if (!here) {
      this.views = [view];
      this.at = 0;
      return;
    }
    const changed = changedNames(here, view);
    if (changed === '') return;
    if (cause === 'page' && here.path === view.path) {
      this.views[this.at] = view;
      return;
    }
    const neighbour = [this.at - 1, this.at + 1].find(
      (i) => this.views[i] && changedNames(this.views[i], view) === '',
    );
    if (cause === 'move' && neighbour !== undefined) {
      this.at = neighbour;
      this.changed = '';
      return;
    }
    if (changed === this.changed && now - this.changedAt < SAME_BREATH && this.canUndo) this.at--;
    const known = this.views.slice(0, this.at + 1);
    const before = known[this.at];
    // There and back in one breath is no step.
    if (!before || changedNames(before, view) !== '') known.push(view);
    this.views = known.slice(-MOST);
    this.at = this.views.length - 1;
    this.changed = changed;
    this.changedAt = now;
  }

  /** The view before; null if this is the first. */
  undo(): View | null {
    return this.move(-1);
  }

  /** The view that was taken back last; null if none was. */
  redo(): View | null {
    return this.move(1);
  }

  private move(by: number): View | null {
    const view = this.views[this.at + by];
    if (!view) return null;
    this.at += by;
    this.changed = '';
    return view;
  }
}

/** Names of the arguments in which two views differ, `/` for the page; empty if they are alike. */
function changedNames(a: View, b: View): string {
  const names = new Set([...Object.keys(a.query), ...Object.keys(b.query)]);
  const others = [...names].filter((name) => a.query[name] !== b.query[name]).sort();
  return [...(a.path === b.path ? [] : ['/']), ...others].join(' ');
}
