import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failureCause, groupFailures } from './failures.ts';
import { hoursPerRun, hoursSaved } from './hours-saved.ts';
import { paperOf, reportTag } from './paper.ts';
import { recipientObstacle } from './recipient.ts';
import { suggestTemplate } from './suggestion.ts';

describe('the rules of a report', () => {
  it('hours saved follow the agency’s own estimate, else the catalog’s, rounded once', () => {
    const perRun = hoursPerRun(
      [
        { name: 'a', hoursSavedPerRun: 0.05 },
        { name: 'b', hoursSavedPerRun: 1 },
      ],
      [{ templateName: 'b', hours: 0.25 }],
    );
    const rows = [
      { templateName: 'a', helped: 3 },
      { templateName: 'b', helped: 1 },
      { templateName: null, helped: 9 },
      { templateName: 'gone', helped: 9 },
    ];
    assert.equal(hoursSaved(rows, perRun), 0.4);
  });

  it('error codes of any provider become a few causes, and failures without a record are counted as unknown', () => {
    for (const [code, cause] of [
      ['twilio_key_refused', 'connection'],
      ['resend_down', 'provider'],
      ['twilio_number_rejected', 'details'],
      ['timeout', 'timeout'],
      ['dispatch_failed', 'not_started'],
      ['something_new', 'other'],
      [null, 'other'],
    ] as const)
      assert.equal(failureCause(code), cause, String(code));
    const rows = [
      { errorCode: 'timeout', agentName: 'A', count: 1, handled: 1 },
      { errorCode: 'resend_down', agentName: 'A', count: 2, handled: 0 },
      { errorCode: 'twilio_down', agentName: 'B', count: 2, handled: 1 },
    ];
    assert.deepEqual(groupFailures(rows, 7), [
      { cause: 'provider', count: 4, agents: ['A', 'B'], handled: 1 },
      { cause: 'timeout', count: 1, agents: ['A'], handled: 1 },
      { cause: 'unknown', count: 2, agents: [], handled: 0 },
    ]);
  });

  it('paper and language tag follow the country of the time zone, by its old names too', () => {
    for (const [timezone, paper, tag] of [
      ['America/Chicago', 'Letter', 'en-US'],
      ['US/Central', 'Letter', 'en-US'],
      ['America/Toronto', 'Letter', 'en-CA'],
      ['America/Mexico_City', 'Letter', 'en-MX'],
      ['Asia/Manila', 'Letter', 'en-PH'],
      ['America/Sao_Paulo', 'A4', 'en'],
      ['Europe/Berlin', 'A4', 'en'],
      ['Nowhere/Land', 'A4', 'en'],
    ] as const)
      assert.deepEqual([paperOf(timezone), reportTag('en', timezone)], [paper, tag], timezone);
    assert.deepEqual([reportTag('es', 'America/Mexico_City'), reportTag('de', 'America/Chicago')], ['es-MX', 'de']);
  });

  it('the suggestion needs the fewest connections, then works with what helped, then saves most', () => {
    const of = (name: string, category: 'calls' | 'leads', hoursSavedPerRun: number, isActive = true) => ({
      name,
      category,
      isActive,
      hoursSavedPerRun,
    });
    const catalog = [
      of('has', 'leads', 1),
      of('far', 'calls', 9),
      of('calls', 'calls', 2),
      of('leads', 'leads', 1),
      of('more', 'leads', 3),
      of('off', 'leads', 9, false),
    ];
    const facts = {
      installed: new Set(['has']),
      missingOf: ({ name }: { name: string }) => (name === 'far' ? (['twilio'] as const) : []),
      helped: new Map([['has', 5]]),
      perRun: new Map(catalog.map((one) => [one.name, one.hoursSavedPerRun])),
    };
    assert.equal(suggestTemplate(catalog, facts)?.template.name, 'more');
    assert.equal(suggestTemplate(catalog, { ...facts, helped: new Map() })?.template.name, 'more');
    assert.equal(suggestTemplate(catalog, { ...facts, helped: new Map([['far', 1]]) })?.template.name, 'calls');
    assert.equal(suggestTemplate(catalog, { ...facts, installed: new Set(catalog.map((one) => one.name)) }), null);
  });

  it('each person chooses for themselves, admins for others unless these ended it', () => {
    const admin = { userId: 'a', role: 'PARTNER', partnerRole: 'admin' };
    const moderator = { userId: 'm', role: 'PARTNER', partnerRole: 'moderator' };
    const person = { userId: 'p', hasOptedOut: true };
    assert.equal(recipientObstacle(admin, person, true), 'opted_out');
    assert.equal(recipientObstacle(admin, person, false), null);
    assert.equal(recipientObstacle(moderator, person, false), 'others');
    assert.equal(recipientObstacle({ userId: 'p', role: 'CLIENT', partnerRole: null }, person, true), null);
  });
});
