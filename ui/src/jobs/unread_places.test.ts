import { expect, test } from 'vitest';

import { isMissingBaseDir, placeWithReason, unreadPlaces } from './unread_places';

const finding = (kind: string, path: string, detail: string) => ({
  kind,
  path,
  detail,
  offset: null,
  lost_records: 0,
});
const private_ = finding('unreadable', 'private', 'It cannot be read: Permission denied.');

test('only findings of kind unreadable count as unreadable locations', () => {
  expect(unreadPlaces([finding('not_a_log', 'a', ''), private_])).toEqual([private_]);
});

test('the reason follows the path without repeating that it is unreadable', () => {
  expect(placeWithReason(private_)).toBe('private (Permission denied)');
  expect(
    placeWithReason({ path: './', detail: 'The base dir is no directory; waiting for one.' }),
  ).toBe('./ (The base dir is no directory; waiting for one)');
  expect(placeWithReason({ path: 'a', detail: '' })).toBe('a');
});

test('a missing base dir differs from an unreadable one', () => {
  expect(isMissingBaseDir({ detail: 'The base dir does not exist; waiting for it.' })).toBe(true);
  expect(isMissingBaseDir(private_)).toBe(false);
});
