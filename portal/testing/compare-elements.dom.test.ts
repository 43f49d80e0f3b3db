import './portal.ts';
import assert from 'node:assert/strict';
import { it } from 'node:test';

it('a failed comparison of elements names both, not all that they refer to', () => {
  const page = document.createElement('main');
  page.innerHTML = '<button id="save" type="button">Save</button><a href="/login">Log in</a>';
  const [button, link] = page.children;
  assert.throws(() => assert.equal(button, link), { message: '<button id="save" type="button"> is not <a href="/login">' });
  assert.throws(() => assert.equal(button, null), { message: '<button id="save" type="button"> is not null' });
  assert.throws(() => assert.notEqual(link, link), { message: '<a href="/login"> is <a href="/login">' });
  assert.equal(button, page.querySelector('#save'));
  assert.notEqual(button, link);
});

it('other values are compared as before', () => {
  assert.throws(() => assert.equal(1, 2), { actual: 1, expected: 2 });
  assert.equal('a', 'a');
});
