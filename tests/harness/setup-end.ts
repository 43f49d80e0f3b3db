import type { DemoClient } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { until } from './system.ts';

type Answer = Awaited<ReturnType<DemoClient['provision']>>;

/** Returns how a setup ended. On a slow machine the service answers before it ends. */
export async function setupEnd(
  staff: Pick<DemoClient, 'listAttempts' | 'getAutomation'>,
  answer: Answer,
): Promise<Pick<Answer, 'status' | 'instance'>> {
  if (answer.status !== 'running') return answer;
  const params = { id: answer.instance.partnerId };
  const ended = await until('the setup has ended', async () => {
    const attempt = (await staff.listAttempts({ params })).find(({ id }) => id === answer.attemptId);
    return attempt !== undefined && attempt.status !== 'running' && attempt;
  });
  return { status: ended.status, instance: await staff.getAutomation({ params }) };
}
