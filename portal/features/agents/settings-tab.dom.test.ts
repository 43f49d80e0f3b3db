import assert from 'node:assert/strict';
import { test } from 'node:test';
import { templateConfig } from '@partner-portal/contract/records/template.ts';
import type { z } from 'zod';
import { button, field, fill, gone, holds, isInvalid, open, press, see, user } from '../../testing/portal.ts';
import { idOf, sample } from '../../testing/sample.ts';
import { changed, Refused, reply } from '../../testing/service.ts';

const ID = idOf(50);
const PATH = `/dashboard/agents/${ID}`;
const setting = (given: Partial<z.input<typeof templateConfig>>) => sample(templateConfig, { default: '', ...given });
const agentOf = (...configSchema: z.input<typeof templateConfig>[]) =>
  reply('getAgent', { id: ID, name: 'Asks people', configSchema, config: {}, installed: true, isActive: true });

test('a setting says what is wrong with it as its field is left, and keeps quiet while it is typed', async () => {
  const agent = agentOf(
    setting({ key: 'fromNumber', label: 'Sender number', type: 'phone' }),
    setting({ key: 'ownerEmail', label: "Owner's mail address", type: 'email', maxLength: 200 }),
    setting({ key: 'reviewUrl', label: 'Review link', type: 'url', maxLength: 500 }),
    setting({ key: 'minRating', label: 'Ask from this rating on', type: 'number', default: 4, min: 1, max: 5 }),
    setting({ key: 'optOutLine', label: 'Opt-out line', type: 'text', default: 'Reply STOP.', maxLength: 80 }),
  );
  await open('owner', PATH, { getAgent: agent });
  for (const [label, wrong, says, right] of [
    ['Sender number', '555', /such as \+1 312 555 0100/, '+13125550100'],
    ["Owner's mail address", 'desk', /such as desk@example\.com/, 'desk@example.com'],
    ['Review link', 'our page', /such as https:\/\/example\.com/, 'https://example.com/review'],
    ['Ask from this rating on', '9', /between 1 and 5/, '4'],
    ['Opt-out line', 'x'.repeat(81), /Enter at most 80/, 'Reply STOP to opt out.'],
  ] as const) {
    const input = await fill(label, wrong);
    await gone(says);
    await user.tab();
    await see(says);
    assert.ok(isInvalid(input), label);
    await fill(label, right);
    await gone(says);
  }
});

test('quiet hours need both times', async () => {
  await open('owner', PATH, {
    getAgent: agentOf(setting({ key: 'quietHours', label: 'Quiet hours', type: 'time-range', default: '21:00-08:00' })),
  });
  const until = await fill('Quiet hours until', '');
  await gone(/both times/);
  until.focus();
  await user.tab();
  await see(/both times/);
  assert.ok(isInvalid(await field('Quiet hours from')));
});

test('a setting of an agent that is typed while the others are saved stays', async () => {
  const agent = agentOf(setting({ key: 'fromAddress', label: 'Sender address', type: 'email', maxLength: 200 }));
  const gate = Promise.withResolvers<void>();
  const service = await open('owner', PATH, {
    getAgent: agent,
    updateAgent: async ({ body }) => {
      await gate.promise;
      return changed(agent, body);
    },
  });
  await fill('Sender address', 'desk@northwind.example');
  await press('Save changes');
  await holds(() => assert.equal(service.sent('updateAgent').length, 1));
  const name = await fill('Name', 'In more haste');
  gate.resolve();
  const save = await button('Save changes');
  await holds(() => assert.notEqual(save.getAttribute('aria-busy'), 'true'));
  assert.equal(service.sent('updateAgent')[0]?.config?.['fromAddress'], 'desk@northwind.example');
  assert.equal(name.value, 'In more haste');
  await see(/^Unsaved: name/);
});

test('a text with an unknown placeholder is refused next to its field, by name', async () => {
  const message = '“{customer}” is not a placeholder. Use {business}.';
  const agent = agentOf(setting({ key: 'smsText', label: 'Text message', type: 'text', default: 'We call you back.', maxLength: 320 }));
  await open('owner', PATH, {
    getAgent: { ...agent, config: { smsText: 'We call you back.' } },
    updateAgent: () => {
      throw new Refused('validation_failed', { errors: [{ field: 'config.smsText', code: 'unknown_placeholder', message }] });
    },
  });
  const text = await fill('Text message', 'We call you back, {customer}');
  await press('Save changes');
  await see(/“\{customer\}” is not a placeholder\./);
  await holds(() => assert.deepEqual([isInvalid(text), document.activeElement === text], [true, true]));
  await press('Discard');
  await see('Everything is saved.');
});
