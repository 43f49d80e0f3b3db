/**
 * The health check of the image, by PORT and ROLE: `/health` of the service, or that of the engine where it runs alone. A process that only works has no
 * listener: it shows that it lives in the database, and its end is seen by the container.
 */
const [port = '3000', role = 'all'] = process.argv.slice(2);

async function isHealthy(): Promise<boolean> {
  if (role === 'worker') return true;
  for (const path of ['/health', '/api/v1/health']) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(4_000) });
    if (answer.status !== 404) return answer.ok;
  }
  return false;
}

process.exitCode = (await isHealthy().catch(() => false)) ? 0 : 1;
