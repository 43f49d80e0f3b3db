import { formApi, type Reply } from '../../app/api.ts';
import { extension } from '../../app/errors.ts';

/** Logs in. When strangers have entered many wrong passwords for this account, the service asks for a proof of work first, which this does by itself. */
export async function logIn(body: { email: string; password: string }): Promise<Reply<'login'>> {
  try {
    return await formApi.login({ body });
  } catch (error) {
    const work = extension(error, 'proofOfWork') as { challenge: string; bits: number } | undefined; // as the service promises
    if (!work) throw error;
    const { solveWork } = await import('./solve-work.ts');
    return formApi.login({ body: { ...body, proofOfWork: { challenge: work.challenge, solution: await solveWork(work) } } });
  }
}
