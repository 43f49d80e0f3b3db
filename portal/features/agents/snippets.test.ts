import assert from 'node:assert/strict';
import { test } from 'node:test';
import { snippetFor } from './snippets.ts';

const URL_OF_AGENT = 'https://portal.example/webhooks/agents/1?token=abc';
const INPUTS = [
  { key: 'callerNumber', label: 'Caller', type: 'phone', required: true, aliases: ['From'], example: '+13125550121' },
  { key: 'note', label: 'Note', type: 'text', required: false, aliases: [], example: "it's urgent" },
  { key: 'raw', label: 'Raw', type: 'object', required: false, aliases: [], example: { a: 1 } },
].map((input) => ({ ...input, writtenTo: null }));

test('the JSON snippet is one shell command that carries every example value', () => {
  const { code } = snippetFor('curl', URL_OF_AGENT, INPUTS);
  assert.ok(code.startsWith(`curl -X POST '${URL_OF_AGENT}'`));
  const body = code.slice(code.indexOf("-d '") + 4, -1).replaceAll(`'\\''`, "'");
  assert.deepEqual(JSON.parse(body), { callerNumber: '+13125550121', note: "it's urgent", raw: { a: 1 } });
});

test('a quote inside an example cannot end its shell string', () => {
  const { code } = snippetFor('form', URL_OF_AGENT, INPUTS);
  assert.ok(code.includes(`--data-urlencode 'note=it'\\''s urgent'`));
});

test('forms carry text fields only; a phone provider gets the plain URL', () => {
  assert.ok(!snippetFor('form', URL_OF_AGENT, INPUTS).code.includes('raw='));
  assert.equal(snippetFor('phone', URL_OF_AGENT, INPUTS).code, URL_OF_AGENT);
});

test('the web form never contains the secret URL', () => {
  const { code } = snippetFor('web', URL_OF_AGENT, INPUTS);
  const form = code.slice(0, code.indexOf('</form>'));
  assert.ok(!form.includes('token='));
  assert.ok(form.includes('name="callerNumber" required'));
});
