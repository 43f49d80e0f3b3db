import type { SampleDataDeps } from './remove-sample-data.ts';
import { sampleDataHandlers } from './routes.ts';

/** The made-up past of the quick start's agency. */
export function sampleData(deps: SampleDataDeps) {
  return { routes: sampleDataHandlers(deps) };
}
