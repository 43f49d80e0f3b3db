import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bodyOf,
  checkDraft,
  completeRoutes,
  type Draft,
  lacksOf,
  modelKey,
  modelOf,
  moved,
  starters,
  withOrigins,
  withPhrases,
} from './draft.ts';

const DRAFT: Draft = {
  name: 'Ava',
  greeting: 'Hello',
  persona: '',
  brandColor: ' ',
  privacyUrl: '',
  model: 'anthropic/claude/large',
  knowledgeText: '',
  agentRoutes: [],
  handoffEmail: '',
  handoffPhrases: [],
  handoffWhenUnsure: true,
  reminderMinutes: '30',
  allowedOrigins: [],
};

describe('the settings of a chatbot as a draft', () => {
  it('adds a website once, in any form of its address', () => {
    assert.deepEqual(withOrigins([], 'https://www.oak.example/contact?x=1, oak.example HTTPS://WWW.OAK.EXAMPLE'), {
      items: ['https://www.oak.example', 'https://oak.example'],
      bad: undefined,
    });
    assert.deepEqual(withOrigins([], 'http://localhost:4100/demo localhost:5000'), {
      items: ['http://localhost:4100', 'http://localhost:5000'],
      bad: undefined,
    });
  });

  it('adds a website whose name has other letters as browsers write its origin', () => {
    assert.deepEqual(withOrigins([], 'müller-bäckerei.de/über-uns http://café.fr:8080 HTTPS://МАГАЗИН.рф'), {
      items: ['https://xn--mller-bckerei-hfb76a.de', 'http://xn--caf-dma.fr:8080', 'https://xn--80aairftm.xn--p1ai'],
      bad: undefined,
    });
    assert.deepEqual(withOrigins([], 'müller'), { items: [], bad: 'müller' });
  });

  it('names the address that is none, and keeps the others', () => {
    assert.deepEqual(withOrigins(['https://a.example'], 'our site!'), { items: ['https://a.example'], bad: 'our' });
    assert.deepEqual(withOrigins([], 'b.example ftp://c.example'), { items: ['https://b.example'], bad: 'ftp://c.example' });
    for (const typed of ['example.com:80800', '1.2.3.999', 'a--.b..example'])
      assert.deepEqual(withOrigins([], typed), { items: [], bad: typed }, typed);
    assert.deepEqual(withOrigins([], 'example.com:8080 1.2.3.4').items, ['https://example.com:8080', 'https://1.2.3.4']);
  });

  it('adds a phrase once, regardless of capitals', () => {
    assert.deepEqual(withPhrases(['Human'], 'human, call me').items, ['Human', 'call me']);
  });

  it('moves a route by one place and never out of the list', () => {
    assert.deepEqual(moved(['a', 'b', 'c'], 2, -1), ['a', 'c', 'b']);
    assert.deepEqual(moved(['a', 'b', 'c'], 0, 1), ['b', 'a', 'c']);
    assert.deepEqual(moved(['a', 'b'], 0, -1), ['a', 'b']);
    assert.deepEqual(moved(['a', 'b'], 1, 1), ['a', 'b']);
  });

  it('refuses routes without an intent or an agent, which the preview leaves out', () => {
    const routes = [
      { intent: 'book', workflowId: 'w1' },
      { intent: ' ', workflowId: 'w1' },
      { intent: 'text', workflowId: '' },
    ];
    assert.deepEqual(completeRoutes(routes), routes.slice(0, 1));
    assert.ok(checkDraft({ ...DRAFT, agentRoutes: routes }).agentRoutes);
    assert.deepEqual(checkDraft({ ...DRAFT, agentRoutes: routes.slice(0, 1) }), {});
  });

  it('sends provider and model apart, minutes as a number, and no colour as null', () => {
    const { provider, model, reminderMinutes, brandColor } = bodyOf(DRAFT);
    assert.deepEqual(
      { provider, model, reminderMinutes, brandColor },
      { provider: 'anthropic', model: 'claude/large', reminderMinutes: 30, brandColor: null },
    );
    assert.deepEqual(modelOf(modelKey({ provider: 'openai', model: 'a/b' })), { provider: 'openai', model: 'a/b' });
  });

  it('begins a test with questions that the business profile answers, and asks for a person', () => {
    const faq = 'Q: Do you take walk-ins?\nYes, until 16:00.\n- Is there parking?\nBehind the house.\nA third question?';
    assert.deepEqual(starters({ faqText: faq, hours: '' }), ['Do you take walk-ins?', 'Is there parking?', 'Can I talk to a person?']);
    assert.deepEqual(starters({ faqText: 'We are closed in August.', hours: 'Mon 9 to 5' }), [
      'When are you open?',
      'Can I talk to a person?',
    ]);
    assert.deepEqual(starters({ faqText: '', hours: '' }), ['How can I reach you?', 'Can I talk to a person?']);
  });

  it('lists a missing key, knowledge and site, and nothing once all are there', () => {
    const bare = { provider: 'openai', allowedOrigins: [] } as const;
    assert.deepEqual(lacksOf({ ...bare, allowedOrigins: [] }, [{ provider: 'anthropic' }], [{ passages: 0 }]), [
      'key',
      'knowledge',
      'site',
    ]);
    assert.deepEqual(
      lacksOf({ provider: 'openai', allowedOrigins: ['https://a.example'] }, [{ provider: 'openai' }], [{ passages: 3 }]),
      [],
    );
    assert.deepEqual(lacksOf({ ...bare, allowedOrigins: [] }, undefined, undefined), ['site'], 'what is not known yet is not missing');
  });
});
