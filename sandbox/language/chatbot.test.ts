import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findBundle } from '@partner-portal/catalog/index.ts';
import { readAnswer } from '@partner-portal/core/conversation/answer.ts';
import { buildInstructions, quoteVisitor } from '@partner-portal/core/conversation/instructions.ts';
import { offerAgents, readChoice, toolsOf } from '@partner-portal/core/conversation/intent.ts';
import { quoteText } from '@partner-portal/core/conversation/quote.ts';
import type { Turn } from './conversation.ts';
import { respond } from './respond.ts';
import { readSchema } from './schema.ts';

/** The model stands in for one that chatbots are instructed for: their instructions, tools and readers are used as they are. */

const PASSAGES = [
  { title: 'Prices.txt', heading: 'Prices', content: 'A check-up with cleaning costs $120. Whitening is $300.' },
  { title: 'Business profile', heading: 'Booking', content: 'Book online at https://oakstreet.example/book or call (312) 555-0100.' },
];
const agents = offerAgents(
  [
    {
      intent: 'A text message with the booking link',
      workflowId: 'w-1',
      templateName: 'missed-call-text-back',
      businessPhone: '+13125550100',
    },
    { intent: 'Being contacted about a treatment', workflowId: 'w-2', templateName: 'lead-intake-cleaner' },
  ],
  (name) => findBundle(name)?.template,
);

function ask(texts: Turn[], passages = PASSAGES) {
  const facts = { name: 'Olive', persona: 'Warm and short.', businessName: 'Oak Street Dental', timezone: 'America/Chicago' };
  const answer = respond({
    system: buildInstructions({ facts, passages, agents, now: new Date('2026-11-23T12:00:00Z') }),
    turns: texts.map((turn) => (turn.role === 'user' ? { ...turn, text: quoteVisitor(turn.text) } : turn)),
    tools: toolsOf(agents).map(({ name, description, parameters }) => ({ name, description, ...readSchema(parameters) })),
    choice: { kind: 'auto' },
    isJson: false,
    isGullible: false,
    now: new Date('2026-11-23T12:00:00Z'),
  });
  return { choice: readChoice(answer.calls, agents), ...readAnswer({ text: answer.text, finishReason: 'stop' }, passages.length) };
}
const visitor = (text: string): Turn => ({ role: 'user', text });
const bot = (text: string): Turn => ({ role: 'assistant', text, calls: [] });

describe('a chatbot with the model of the sandbox', () => {
  it('answers from a passage and names it', () => {
    const { choice, text, cited, isUnsure } = ask([visitor('How much does a cleaning cost?')]);
    assert.deepEqual([choice.kind, text, cited, isUnsure], ['reply', 'A check-up with cleaning costs $120.', [1], false]);
  });

  it('answers with the sentences of a passage that the question is about', () => {
    const content = 'The practice is at 12 Oak Street. Parking is free behind the house. The bus stops at the corner.';
    const guide = [{ title: 'Guide', heading: 'Guide of Oak Street Dental › Getting here', content }];
    assert.equal(ask([visitor('Where can I park?')], guide).text, 'The practice is at 12 Oak Street. Parking is free behind the house.');
  });

  it('does not know what no passage says', () => {
    const { choice, cited, isUnsure } = ask([visitor('Do you repair bicycles?')]);
    assert.deepEqual([choice.kind, cited, isUnsure], ['reply', [], true]);
    assert.equal(ask([visitor('Do you repair bicycles?')], []).isUnsure, true);
  });

  it('greets without being unsure', () => {
    const { text, isUnsure } = ask([visitor('Hello!')], []);
    assert.deepEqual([text, isUnsure], ['Hello! How can I help you?', false]);
  });

  it('runs the agent of a wish with the inputs of its template', () => {
    const { choice } = ask([visitor('Please text me the booking link, my number is (312) 555-0148.')]);
    assert.ok(choice.kind === 'run');
    assert.deepEqual([choice.agent.workflowId, choice.input], ['w-1', { callerNumber: '+13125550148', businessNumber: '+13125550100' }]);
    const lead = ask([visitor('Can you contact me about whitening? I am Ada Byron, ada@example.com')]).choice;
    assert.ok(lead.kind === 'run');
    assert.deepEqual(
      [lead.agent.workflowId, lead.input['name'], lead.input['email'], lead.input['phone']],
      ['w-2', 'Ada Byron', 'ada@example.com', undefined],
    );
  });

  it('leaves out what it does not have, and goes on when it is given', () => {
    const first = ask([visitor('Please text me the booking link')]).choice;
    assert.deepEqual(first.kind === 'ask' && first.missing, ['callerNumber']);
    const then = ask([
      visitor('Please text me the booking link'),
      bot("Gladly. For that I still need: Caller's number."),
      visitor('312 555 0148'),
    ]);
    assert.deepEqual(then.choice.kind === 'run' && then.choice.input['callerNumber'], '+13125550148');
  });

  it('hands over when the visitor asks for a person', () => {
    assert.equal(ask([visitor('I would like to talk to a person')]).choice.kind, 'hand_over');
  });

  it('says what came of the agent', () => {
    const called: Turn = { role: 'assistant', text: '', calls: [{ id: 'call_1', name: 'agent_1', input: {} }] };
    const resultTurn = (result: object): Turn => ({
      role: 'tool',
      callId: 'call_1',
      text: quoteText('agent_result', JSON.stringify(result)),
    });
    const { text } = ask([
      visitor('Please text me'),
      called,
      resultTurn({ status: 'succeeded', summary: 'Text sent to ••• 0148', output: null }),
    ]);
    assert.equal(text, 'Done: Text sent to ••• 0148.');
  });
});
