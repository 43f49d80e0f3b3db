import type { StepName } from '@partner-portal/core/provisioning/provisioning.ts';
import type { Step } from '../attempt.ts';
import { bindCredentials } from './bind-credentials.ts';
import { enableFlows, verifyFlows } from './check-flows.ts';
import { ensureTenant, resolveEndpoint, verifyConnectivity } from './connect.ts';
import { importFlows } from './import-flows.ts';
import { claim, featureGate, partnerLookup } from './prepare.ts';
import { resolveCredentials } from './resolve-credentials.ts';
import { deleteConnections, deleteFlows, deleteTenant, disableFlows } from './tear-down.ts';

/** The implementation of each step. Every step is idempotent. */
export const STEPS: { readonly [name in StepName]: Step } = {
  feature_gate: featureGate,
  partner_lookup: partnerLookup,
  claim_instance: claim,
  resolve_endpoint: resolveEndpoint,
  verify_connectivity: verifyConnectivity,
  ensure_tenant: ensureTenant,
  resolve_credentials: resolveCredentials,
  bind_credentials: bindCredentials,
  import_flows: importFlows,
  update_flows: importFlows,
  verify_flows: verifyFlows,
  enable_flows: enableFlows,
  disable_flows: disableFlows,
  delete_flows: deleteFlows,
  delete_connections: deleteConnections,
  delete_tenant: deleteTenant,
  // The transaction that ends the attempt sets the status and `provisionedAt`.
  mark_ready: async () => ({ summary: 'Ready' }),
};
