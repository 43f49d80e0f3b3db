import assert from 'node:assert/strict';
import { it } from 'node:test';
import { letterTo } from './letter.ts';

const about = { url: 'https://crm.example.com/in?a=1&b=2', partnerName: 'Nord & Co', failureStreak: 3, failed24h: 7, isActive: true };

it('names the endpoint, the failures and the fix, with special characters encoded', () => {
  const letter = new URL(letterTo('ops@example.com', about));
  assert.equal(decodeURIComponent(letter.pathname), 'ops@example.com');
  assert.equal(letter.searchParams.get('subject'), 'Your webhook endpoint crm.example.com/in?a=1&b=2');
  assert.match(
    letter.searchParams.get('body') ?? '',
    /Hello Nord & Co,[^]*3 deliveries in a row failed, 7 in the last 24 hours[^]*https:\/\/crm\.example\.com\/in\?a=1&b=2/,
  );
});

it('an e-mail address cannot inject recipients or headers', () => {
  const letter = new URL(letterTo('a@example.com?bcc=b@example.com', about));
  assert.deepEqual([...letter.searchParams.keys()], ['subject', 'body']);
});

it('does not report failures for a working endpoint', () => {
  const letter = new URL(letterTo('ops@example.com', { ...about, failureStreak: 0 }));
  assert.doesNotMatch(letter.searchParams.get('body') ?? '', /failed/);
});
