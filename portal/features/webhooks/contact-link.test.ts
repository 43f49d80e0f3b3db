import assert from 'node:assert/strict';
import { it } from 'node:test';
import { contactLink } from './contact-link.ts';

const about = { url: 'https://crm.example.com/in?a=1&b=2', partnerName: 'Nord & Co', failureStreak: 3, failed24h: 7, isActive: true };

it('names the endpoint, the failures and the fix, with special characters encoded', () => {
  const link = new URL(contactLink('ops@example.com', about));
  assert.equal(decodeURIComponent(link.pathname), 'ops@example.com');
  assert.equal(link.searchParams.get('subject'), 'Your webhook endpoint crm.example.com/in?a=1&b=2');
  assert.match(
    link.searchParams.get('body') ?? '',
    /Hello Nord & Co,[^]*the last 3 deliveries failed, 7 in the last 24 hours[^]*https:\/\/crm\.example\.com\/in\?a=1&b=2/,
  );
});

it('an e-mail address cannot inject recipients or headers', () => {
  const link = new URL(contactLink('a@example.com?bcc=b@example.com', about));
  assert.deepEqual([...link.searchParams.keys()], ['subject', 'body']);
});

it('does not report failures for a working endpoint', () => {
  const link = new URL(contactLink('ops@example.com', { ...about, failureStreak: 0 }));
  assert.doesNotMatch(link.searchParams.get('body') ?? '', /failed/);
});
