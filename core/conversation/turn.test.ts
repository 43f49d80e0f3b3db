import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TURN_STATES } from '@partner-portal/contract/vocabulary.ts';
import { afterModelError, callIdOf, handoffByWords, mayFollow } from './turn.ts';

describe('a turn', () => {
  it('goes forward only, and ends once', () => {
    const order = ['received', 'deciding', 'running', 'composing', 'done', 'failed'] as const;
    for (const from of TURN_STATES)
      for (const to of TURN_STATES) if (mayFollow(from, to)) assert.ok(order.indexOf(to) > order.indexOf(from), `${from} → ${to}`);
    for (const to of TURN_STATES) assert.equal(mayFollow('done', to) || mayFollow('failed', to), false);
    assert.equal(mayFollow('deciding', 'composing'), false);
  });

  it('can fail from each open state', () => {
    for (const from of ['received', 'deciding', 'running', 'composing'] as const) assert.ok(mayFollow(from, 'failed'));
  });

  it('has one id per model call, a UUIDv7 of its own time', () => {
    const turn = '019a0b0c-0d0e-7123-8456-789abcdef012';
    const decide = callIdOf(turn, 'decide');
    assert.equal(decide, callIdOf(turn, 'decide'));
    assert.notEqual(decide, callIdOf(turn, 'compose'));
    assert.notEqual(decide, callIdOf('019a0b0c-0d0e-7123-8456-789abcdef013', 'decide'));
    assert.match(decide, /^019a0b0c-0d0e-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('hands over for the quota and for a budget without counting a failure', () => {
    assert.deepEqual(afterModelError('quota_exceeded'), { reason: 'quota', isFailure: false });
    assert.deepEqual(afterModelError('chat_budget_exceeded'), { reason: 'budget', isFailure: false });
    assert.deepEqual(afterModelError('ai_unavailable'), { reason: 'failure', isFailure: true });
    assert.deepEqual(afterModelError(null), { reason: 'failure', isFailure: true });
  });
});

describe('words that hand over', () => {
  const cases: [text: string, phrases: string[], expected: string | null][] = [
    ['I want a REFUND!', ['refund'], 'phrase'],
    ['refunds are nice', ['refund'], null],
    ['my tooth hurts, badly', ['tooth hurts badly'], 'phrase'],
    ['anything', ['', ' !'], null],
    ['Can I speak to a human?', [], 'visitor'],
    ['please connect me with a real person', [], 'visitor'],
    ['Can I talk to someone?', [], 'visitor'],
    ['I’d like to speak to somebody', [], 'visitor'],
    ['Could you put me through to a person?', [], 'visitor'],
    ['Ich möchte mit einem Menschen sprechen', [], 'visitor'],
    ['Kann ich bitte mit jemandem reden?', [], 'visitor'],
    ['Verbinden Sie mich mit einer Mitarbeiterin', [], 'visitor'],
    ['Ich will einen echten Menschen sprechen!', [], 'visitor'],
    ['Quiero hablar con una persona', [], 'visitor'],
    ['¿Puedo hablar con alguien?', [], 'visitor'],
    ['Páseme con un agente, por favor', [], 'visitor'],
    ['¿Me comunica con una persona real?', [], 'visitor'],
    ['Póngame con un agente', [], 'visitor'],
    ['pongame con una persona por favor', [], 'visitor'],
    ['¿Me puede poner con alguien?', [], 'visitor'],
    ['¿Podrían ponerme con una persona?', [], 'visitor'],
    ['Que me pase con un asesor', [], 'visitor'],
    ['Quiero que me atienda una persona', [], 'visitor'],
    ['Stellen Sie mich bitte zu einem Mitarbeiter durch', [], 'visitor'],
    ['Können Sie mich mit jemandem verbinden?', [], 'visitor'],
    ['Can I talk to a person? It is urgent, my tooth hurts.', [], 'visitor'],
    ['Kann ich bitte mit einem Menschen sprechen? Ich warte seit zwei Wochen.', [], 'visitor'],
    ['Hello? Anyone there?\nI need to speak to a human right now', [], 'visitor'],
    ['¿Abren hoy? Quiero hablar\ncon una persona', [], 'visitor'],
    ['What happens when I write “Can I talk to a person?” in this chat window', [], null],
    ['Does "May I speak to a human?" work in this chat? I am only trying it out.', [], null],
    ['Which person is the dentist?', [], null],
    ['Wie viele Menschen arbeiten bei Ihnen?', [], null],
    ['Sprechen Sie Deutsch?', [], null],
    ['Ich habe mit einem Freund gesprochen', [], null],
    ['¿Cuánto cuesta por persona?', [], null],
    ['Hablo con mi hermano', [], null],
    ['Póngame una cita con la dentista', [], null],
    ['¿Me pone dos entradas con descuento?', [], null],
    ['Ponme al día', [], null],
    ['Stellen Sie das Gerät zu einem Mitarbeiter', [], null],
    ['I will talk to someone at home about the price first', [], null],
    ['Someone told me that you open at nine', [], null],
    ['I spoke with a friend', [], null],
    ["I don't want to talk to a person, just tell me the price", [], null],
    ['No need to talk to a human, when do you open?', [], null],
    ['Do I have to talk to a person to cancel?', [], null],
    ['I was told to speak with the agent Maria about the flat', [], null],
    ['My son needs help to talk to people', [], null],
    ['Ich möchte nicht mit einem Menschen sprechen', [], null],
    ['Mit einem Mitarbeiter sprechen möchte ich nicht', [], null],
    ['Muss ich dafür mit jemandem sprechen?', [], null],
    ['No quiero hablar con una persona', [], null],
    ['¿Tengo que hablar con una persona?', [], null],
    ['I was hoping to talk to a person', [], 'visitor'],
    ["Why can't I talk to a person?", [], 'visitor'],
    ['No, I want to talk to a person', [], 'visitor'],
    ['I do not want to wait and want to talk to a person', [], 'visitor'],
    ['I asked to speak to a human ten minutes ago', [], 'visitor'],
    ['I have to talk to a person', [], 'visitor'],
    ['Kann ich nicht mit einem Menschen sprechen?', [], 'visitor'],
    ['Ich muss mit jemandem sprechen', [], 'visitor'],
    ['No, quiero hablar con una persona', [], 'visitor'],
    ['Tengo que hablar con una persona', [], 'visitor'],
  ];
  for (const [text, phrases, expected] of cases) it(`${text} → ${expected}`, () => assert.equal(handoffByWords(text, phrases), expected));
});
