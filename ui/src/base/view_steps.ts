export interface View {
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
}

/** Changed by the user, by a page that registers its state, or by Back and Forward. */
export type Cause = 'change' | 'page' | 'move';

/** Milliseconds within which typed or dragged changes of the same arguments are one step. */
const SAME_BREATH = 1_000;
const MOST = 200;

export class ViewSteps {
  private views: View[] = [];
  private at = -1;
  private changed = '';
  private changedAt = -Infinity;

  get canUndo(): boolean {
    return this.at > 0;
  }

  get canRedo(): boolean {
    return this.at < this.views.length - 1;
  }

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
      this.settle();
      return;
    }
    if (changed === this.changed && now - this.changedAt < SAME_BREATH && this.canUndo) this.at--;
    const known = this.views.slice(0, this.at + 1);
    const before = known[this.at];
    if (!before || changedNames(before, view) !== '') known.push(view);
    this.views = known.slice(-MOST);
    this.at = this.views.length - 1;
    this.changed = changed;
    this.changedAt = now;
  }

  /** The next change is a step of its own. */
  settle(): void {
    this.changed = '';
  }

  undo(): View | null {
    return this.move(-1);
  }

  redo(): View | null {
    return this.move(1);
  }

  private move(by: number): View | null {
    const view = this.views[this.at + by];
    if (!view) return null;
    this.at += by;
    this.settle();
    return view;
  }
}

/** Changed arguments, `/` for the page; empty if equal. */
function changedNames(a: View, b: View): string {
  const names = new Set([...Object.keys(a.query), ...Object.keys(b.query)]);
  const others = [...names].filter((name) => a.query[name] !== b.query[name]).sort();
  return [...(a.path === b.path ? [] : ['/']), ...others].join(' ');
}
