import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCookie, setCookie } from './cookies.ts';

const MARK = { name: 'mark', path: '/sso', sameSite: 'Lax' } as const;

describe('a cookie', () => {
  it('is for https alone where the service is, and says so in its name; in development it has no prefix', () => {
    assert.equal(setCookie(MARK, 'x', 60, 'https://portal.test'), '__Secure-mark=x; Path=/sso; Max-Age=60; HttpOnly; SameSite=Lax; Secure');
    assert.equal(setCookie(MARK, 'x', 60, 'http://localhost:3000'), 'mark=x; Path=/sso; Max-Age=60; HttpOnly; SameSite=Lax');
  });

  it('is read by its own name, before one that an earlier version set', () => {
    assert.equal(readCookie('a=1; mark=old; __Secure-mark=new=2', 'mark'), 'new=2');
    assert.equal(readCookie('a=1;mark=old', 'mark'), 'old');
    for (const none of [undefined, '', 'a=1', 'bookmark=1', 'mark', '__Secure-a=mark=1'])
      assert.equal(readCookie(none, 'mark'), undefined, none);
  });
});
