import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ApiError } from '@partner-portal/contract/client.ts';
import { ERRORS, type ErrorCode } from '@partner-portal/contract/errors.ts';
import { assessPassword } from '@partner-portal/core/people/password.ts';
import { en } from '@partner-portal/messages/en/index.ts';
import { problemText } from '../ui/text/reader.ts';
import { explain, fieldErrors, fromService } from './errors.ts';
import { loadMessages } from './messages.ts';

const refused = (
  code: ErrorCode,
  more: { detail?: string; errors?: { field: string; code: string; message: string }[] } = {},
): ApiError => {
  const { status, title } = ERRORS[code];
  return new ApiError(status, { type: '', instance: '', requestId: 'r', status, title, detail: title, code, ...more }, undefined);
};

describe('a refusal of the service', () => {
  before(() => Object.assign(globalThis, { document: { documentElement: {} } }));
  after(async () => {
    await loadMessages('en', 'UTC');
    Reflect.deleteProperty(globalThis, 'document');
  });

  it('of the engine is explained by its reason where the service gives one, and else by what still works', async () => {
    await loadMessages('en', 'UTC');
    const detail = 'The engine refused the login: check AP_ADMIN_PASSWORD.';
    assert.equal(explain(refused('engine_unavailable', { detail })).detail, detail);
    assert.equal(explain(refused('engine_unavailable')).detail, 'Events wait until it answers. Try again in a minute.');
  });

  it('is explained by its code in the language of the reader, without the English detail', async () => {
    const pending = refused('already_pending', { detail: 'The request of yesterday is not decided yet.' });
    const read = (error: unknown) => [explain(error).title, explain(error).detail];
    await loadMessages('en', 'UTC');
    assert.deepEqual(read(pending), ['A request is already pending.', 'The request of yesterday is not decided yet.']);
    await loadMessages('de-AT', 'UTC');
    assert.deepEqual(read(pending), ['Es wartet schon eine Anfrage auf Entscheidung.', '']);
    assert.deepEqual(read(refused('rate_limited')), [
      'Zu viele Anfragen.',
      'Warten Sie einen Moment, und versuchen Sie es dann noch einmal.',
    ]);
    // An error that no client can get keeps the service's text.
    assert.equal(explain(refused('webhook_limit_reached')).title, 'The limit of webhook endpoints is reached.');
  });

  it('of a field is explained alike', async () => {
    const errors = [
      { field: 'email', code: 'invalid_format', message: 'Enter an e-mail address.' },
      { field: 'text', code: 'unknown_placeholder', message: '“{Vorname}” is not a placeholder. Use {firstName} or {slots}.' },
      { field: 'name', code: 'strange', message: 'This is strange.' },
    ];
    await loadMessages('es', 'UTC');
    assert.deepEqual(fieldErrors(refused('validation_failed', { errors })), {
      email: 'No tiene el formato esperado.',
      text: 'Este agente no conoce una de las palabras entre llaves. Use las palabras entre llaves del texto actual.',
      name: 'Este valor no se aceptó.',
    });
    await loadMessages('en', 'UTC');
    assert.equal(fieldErrors(refused('validation_failed', { errors }))['name'], 'This is strange.');
  });

  it('of a password says what is wrong with it, as the form does before it is sent', async () => {
    await loadMessages('de', 'UTC');
    const { problem } = assessPassword('short', 'ann@oak.test');
    assert.equal(problemText(`password-${problem?.code ?? ''}`, { min: 8, max: 128 }), 'Verwenden Sie mindestens 8 Zeichen.');
    for (const password of ['password', 'ann@oak.test', 'x'.repeat(129), 'abcdabcd'])
      assert.ok(problemText(`password-${assessPassword(password, 'ann@oak.test').problem?.code ?? ''}`, { min: 8, max: 128 }), password);
    await loadMessages('en', 'UTC');
    assert.equal(problemText('password-too_short', { min: 8 }), undefined);
  });

  it('has in English the title of the service', () => {
    for (const [key, text] of Object.entries(en)) {
      const code = Object.keys(ERRORS).find((one) => key === `problem.${one}`);
      if (code !== undefined) assert.equal(text, ERRORS[code as ErrorCode].title, key); // a key of it
    }
  });
});

describe('what went wrong', () => {
  before(() => Object.assign(globalThis, { document: { documentElement: {} } }));
  after(() => Reflect.deleteProperty(globalThis, 'document'));

  const codeOfError = async (from: Promise<unknown>): Promise<string> => explain(await from.catch((error: unknown) => error)).code;

  it('is the connection when no answer arrives whole, and never for a fault of the page', async () => {
    await loadMessages('en', 'UTC');
    assert.equal(await codeOfError(fromService(Promise.reject(new TypeError('Failed to fetch')))), 'unreachable');
    assert.equal(await codeOfError(Promise.reject(new TypeError('Invalid URL'))), 'page_error');
    // A script of the page that does not arrive.
    const missing = new TypeError('Failed to fetch dynamically imported module: https://portal.example/page.js');
    assert.equal(await codeOfError(Promise.reject(missing)), 'unreachable');
    // A call that the page gave up is neither.
    const aborted = new DOMException('The call was aborted.', 'AbortError');
    assert.equal(await fromService(Promise.reject(aborted)).catch((error: unknown) => error), aborted);
    assert.equal(await fromService(Promise.resolve(1)), 1);
  });
});
