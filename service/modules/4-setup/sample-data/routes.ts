import { defineHandlers } from '#platform/http/context.ts';
import { removeSampleData, type SampleDataDeps } from './remove-sample-data.ts';

export function sampleDataHandlers(deps: SampleDataDeps) {
  return defineHandlers({
    removeSampleData: (_input, context) => removeSampleData(deps, context),
  });
}
