import { describe, expect, it } from 'vitest';

import { levelLabels } from './level_labels';

const SIZE = { width: 400, height: 300 };

describe('levelLabels', () => {
  it('puts a label on each line, none over another', () => {
    const labels = levelLabels(
      [
        { text: '1', color: 'red', spots: [[100, 100]] },
        {
          text: '2',
          color: 'blue',
          spots: [
            [110, 105],
            [110, 180],
          ],
        },
        { text: '3', color: 'red', spots: [[105, 98]] },
      ],
      SIZE,
    );
    expect(labels).toEqual([
      { left: 100, top: 100, text: '1', color: 'red' },
      { left: 110, top: 180, text: '2', color: 'blue' },
    ]);
  });

  it('keeps labels away from the border', () => {
    expect(
      levelLabels(
        [
          {
            text: '1',
            color: 'red',
            spots: [
              [10, 100],
              [390, 100],
              [200, 299],
            ],
          },
        ],
        SIZE,
      ),
    ).toEqual([]);
  });
});
