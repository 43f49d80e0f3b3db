import { randomUUID } from 'node:crypto';
import { createClient } from '@partner-portal/contract/client.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { DEMO, type SeedOptions, signIn, type Workspace } from './seed-workspace.ts';

/** Holds conversations with the chatbot as visitors, and answers as people do: one for each state of the inbox. */
export async function seedConversations(options: SeedOptions, { owner, problem }: Workspace, chatbotId: string): Promise<void> {
  const say = createVisitor(options, chatbotId, owner);
  const client = await signIn(options.baseUrl, DEMO.clientUser.email, options.password);

  const closed = await say(['Where can I park?', 'Thank you!']);
  await owner.closeConversation({ params: { id: closed } });
  const taken = await say(['Do you take Delta Dental insurance?']);
  await client.takeOverConversation({ params: { id: taken } });
  await client.replyToConversation({
    params: { id: taken },
    body: { text: 'Hello, this is Elena from the practice. We do, for check-ups and fillings. Which plan do you have?' },
  });
  await say(['What are your opening hours?', 'How much does a cleaning cost?']);
  if (problem === null) await say(['Please text me the booking link, my number is (312) 555-0148.']);
  await say(['I have a question about my bill. Can I talk to a person?']);
  options.report('Visitors wrote to the chatbot: it answered, had a text sent, and handed two conversations to people. One is waiting.');
}

/** Returns what a visitor does: says texts one after the other, and returns the id that the inbox has of the conversation. */
function createVisitor(
  { baseUrl }: SeedOptions,
  chatbotId: string,
  owner: Workspace['owner'],
): (texts: readonly string[]) => Promise<string> {
  const visitor = createClient(routes, { baseUrl, fetch });
  return async (texts) => {
    const visitorId = randomUUID();
    let conversationId: string | undefined;
    for (const text of texts) {
      const body = { text, visitorId, clientMessageId: randomUUID(), ...(conversationId === undefined ? {} : { conversationId }) };
      ({ conversationId } = await visitor.sendVisitorMessage({ params: { chatbotId }, body }));
    }
    // The newest one: visitors come one after the other.
    const [newest] = (await owner.listConversations({ query: { limit: 1 } })).data;
    if (!newest) throw new Error('A visitor says at least one text.');
    return newest.id;
  };
}
