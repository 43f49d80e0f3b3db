import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createStatementNames } from './statement-names.ts';

describe('the name of a statement', () => {
  const nameOf = (text: string): string | undefined => {
    const names = createStatementNames({ after: 1 });
    return names(text);
  };

  it('comes with its third time, stays, and follows from the text alone', () => {
    const names = createStatementNames();
    const text = 'select 1';
    assert.deepEqual([names(text), names(text)], [undefined, undefined]);
    const name = names(text);
    assert.ok(name);
    assert.equal(names(text), name);
    assert.equal(nameOf(text), name);
    assert.notEqual(nameOf('select 2'), name);
    // The server cuts longer ones, and a role's own ending comes behind it.
    assert.ok(name.length <= 48);
  });

  it('is given to what reads or writes rows, and to nothing else', () => {
    for (const text of [
      'select 1',
      ' with a as (select 1) select * from a',
      'insert into a values ($1)',
      'UPDATE a SET b = 1',
      'delete from a',
    ])
      assert.ok(nameOf(text), text);
    for (const text of ['set local role x', 'lock table a', 'create table a ()', 'select 1; select 2', `select ${'1'.repeat(8_000)}`])
      assert.equal(nameOf(text), undefined, text);
  });

  it('is not given once there are as many as there may be, while those that are there stay', () => {
    const names = createStatementNames({ max: 2, after: 1 });
    const [one, two] = [names('select 1'), names('select 2')];
    assert.ok(one && two);
    assert.equal(names('select 3'), undefined);
    assert.deepEqual([names('select 1'), names('select 2')], [one, two]);
  });

  it('is still given to what comes often while many others come once', () => {
    const names = createStatementNames({ after: 2, watched: 10 });
    for (let n = 0; n < 100; n += 1) assert.equal(names(`select ${n}`), undefined);
    names('select often');
    assert.ok(names('select often'));
  });
});
