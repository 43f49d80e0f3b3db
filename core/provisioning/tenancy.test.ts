import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainOtherTenancy } from './tenancy.ts';

test('nothing is said while every agency was set up in the mode of the settings', () => {
  assert.equal(explainOtherTenancy('shared', 0), null);
  assert.equal(explainOtherTenancy('project', 0), null);
});

test('agencies of another mode are counted, with what keeps running and what moves them', () => {
  assert.match(
    explainOtherTenancy('project', 12) ?? '',
    /^12 agencies were set up in shared tenancy.*They keep running in the shared project.*leaves them.*A recreate or a provision moves.*plan must allow\.$/,
  );
  assert.match(
    explainOtherTenancy('shared', 1) ?? '',
    /^1 agency was set up in project tenancy.*It keeps running in a project of its own.*leaves it.*moves an agency into the shared project\.$/,
  );
});
