import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFull } from '../harness/full.ts';
import { tryEverywhere, tryInOwnProject } from './kill-stage.ts';

describe('a deprovision whose service is killed', () => tryEverywhere('deprovision'));
describe('a recreate whose service is killed', () => {
  // A recreate is a deprovision and a provision, each tried whole by itself.
  if (isFull) tryEverywhere('recreate');

  it('while its own project is deleted or made ends with one project', async () => {
    const { tried } = await tryInOwnProject('recreate', (name) => name === 'POST projects' || name === 'DELETE projects');
    assert.equal(tried, 4);
  });
});
