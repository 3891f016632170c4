/** The rows of a click: this one or, with `through`, all from the one clicked before. */
export function rowRange(
  listed: () => readonly string[],
): (trainId: string, through: boolean) => readonly string[] {
  let anchor = '';
  return (trainId, through) => {
    const ids = listed();
    const [from, to] = [ids.indexOf(through ? anchor : trainId), ids.indexOf(trainId)];
    anchor = trainId;
    return from < 0 ? [trainId] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
  };
}
