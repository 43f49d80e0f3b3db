import assert from 'node:assert/strict';
import { chatbot } from '@partner-portal/service/modules/3-product/chatbot/index.ts';
import { type Conversations, conversations } from '@partner-portal/service/modules/3-product/conversations/index.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase } from '@partner-portal/service/platform/db/tx.ts';
import { createFacts } from '@partner-portal/service/platform/facts.ts';
import { runStatement } from '@partner-portal/service/platform/db/statements.ts';
import { openNotices } from '@partner-portal/service/platform/notify.ts';
import { createNotify } from '@partner-portal/service/modules/5-reactions/notifications/index.ts';
import { consequences } from '@partner-portal/service/wiring/consequences.ts';
import { adHoc } from './ad-hoc.ts';
import { type AiService, type AiServiceOptions, startAiService } from './ai.ts';
import type { TestPlatform, TestReply } from './service.ts';

type RunDirectly = Parameters<typeof conversations>[0]['runDirectly'];

export type ChatService = AiService & {
  talks: Conversations;
  chatbotId: string;
  /** Sends a message as a visitor. */
  say(text: string, more?: { [member: string]: unknown }, headers?: Record<string, string>): Promise<TestReply>;
  rows<R extends object>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** Changes the chatbot; waits until it is served so. */
  setChatbot(columns: { [column: string]: unknown }): Promise<void>;
  addPassage(heading: string, content: string): Promise<string>;
  /** Another process on the same database, without a server of its own. */
  openSecond(): { talks: Conversations; close(): Promise<void> };
};

export type ChatOptions = AiServiceOptions & { runDirectly?: RunDirectly; templateOf?: Parameters<typeof conversations>[0]['templateOf'] };

/** The service with a chatbot that visitors talk to; its models are played by a server that behaves as a test says. */
export async function startChatService({
  runDirectly = noRun,
  templateOf = () => undefined,
  ...options
}: ChatOptions = {}): Promise<ChatService> {
  let now = 0;
  const made: { talks?: Conversations; open?: ChatService['openSecond']; notices?: ReturnType<typeof openNotices> } = {};
  const service = await startAiService({
    ...options,
    modulesWith: (platform, proxy) => {
      const build = (db: TestPlatform['db']) => {
        const notices = openNotices(platform.database.configFor('portal_service'), platform.log);
        // A change of the chatbot is seen by the next call.
        const clock = { now: () => new Date(Date.now() + (now += 10_000)) };
        const bots = chatbot({ ...platform, db, clock, publicBaseUrl: platform.baseUrl });
        const talks = conversations({
          ...platform,
          db,
          notices,
          complete: proxy.complete,
          chatbot: bots,
          runDirectly,
          templateOf,
          templates: [],
          queueMail: platform.mail.queueMail,
          secret: platform.callbackSecret,
          publicBaseUrl: platform.baseUrl,
          servedMs: 50,
        });
        return { talks, notices, bots };
      };
      const { talks, notices, bots } = build(platform.db);
      Object.assign(made, { talks, notices });
      made.open = () => {
        const pool = createPool(platform.database.configFor('portal_service'), { name: 'second', max: 4 });
        const facts = createFacts();
        facts.register(consequences({ notify: createNotify(platform.mail), agentRequests: null, baseUrl: platform.baseUrl }));
        const second = build(createDatabase(pool, facts));
        return {
          talks: second.talks,
          async close() {
            await second.talks.stop();
            await second.notices.close();
            await pool.end();
          },
        };
      };
      return [talks, bots, platform.mail];
    },
  });
  const { talks, open, notices } = made;
  if (!talks || !open || !notices) throw new Error('The conversations were not made.');
  const { partnerId, clientId } = service.world;
  const rows: ChatService['rows'] = (text, values = []) =>
    service.db.asSystem('seed', (tx) => runStatement(tx, adHoc({ text, values: [...values] }))) as never; // typed by the test
  await rows(`update plan set features = features || '{"chatbot": true}'`);
  const [bot] = await rows<{ id: string }>(
    `insert into chatbot (partner_id, client_id, is_active, name, greeting, provider, model, handoff_email) values ($1, $2, true, 'Mia', 'Hello.', 'openai', 'gpt-5', 'desk@oak.test') returning id`,
    [partnerId, clientId],
  );
  const chatbotId = bot?.id ?? '';
  await service.saveKey('owner', 'openai', 'platform');
  await service.leaveCredits(100_000);
  return {
    ...service,
    talks,
    chatbotId,
    rows,
    openSecond: open,
    say: (text, more = {}, headers = {}) =>
      service.call('POST', `/chatbot/public/${chatbotId}/messages`, { body: { text, visitorId: crypto.randomUUID(), ...more }, headers }),
    async setChatbot(columns) {
      const names = Object.keys(columns);
      await rows(`update chatbot set ${names.map((name, n) => `${name} = $${n + 2}`).join(', ')} where id = $1`, [
        chatbotId,
        ...Object.values(columns),
      ]);
    },
    async addPassage(heading, content) {
      const [document] = await rows<{ id: string }>(
        `with document as (insert into knowledge_document (partner_id, client_id, chatbot_id, kind, title, status, passages)
            values ($1, $2, $3, 'text', 'Text of the settings', 'ready', 1) on conflict (chatbot_id, kind) where kind <> 'file' do update set passages = knowledge_document.passages + 1 returning id, passages),
          passage as (insert into knowledge_passage (partner_id, client_id, chatbot_id, document_id, n, heading, content, search)
            select $1, $2, $3, id, passages, $4, $5, to_tsvector('simple', $4 || ' ' || $5) from document),
          word as (insert into knowledge_word (chatbot_id, word, partner_id, client_id, passages)
            select $3, unnest(tsvector_to_array(to_tsvector('simple', $4 || ' ' || $5))), $1, $2, 1 on conflict (chatbot_id, word) do update set passages = knowledge_word.passages + 1)
          select id from document`,
        [partnerId, clientId, chatbotId, heading, content],
      );
      return document?.id ?? '';
    },
    async close() {
      await talks.stop();
      await notices.close();
      await service.close();
    },
  };
}

const noRun: RunDirectly = () => assert.fail('No agent runs in this test.');
