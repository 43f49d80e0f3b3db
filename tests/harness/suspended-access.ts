import type { RouteName } from '@partner-portal/contract/index.ts';

/** The routes that answer for a suspended account; all others are refused. A new one has to be put here by hand. */
export const ANSWERS_SUSPENDED: ReadonlySet<RouteName> = new Set([
  // Profile, password, second step
  'getMe',
  'updateMe',
  'changePassword',
  'reauthenticate',
  'setUpMfa',
  'enableMfa',
  'disableMfa',
  'renewRecoveryCodes',
  // Sign-out
  'logout',
  'logoutAddress',
  'logoutAll',
  'listSessions',
  'endSession',
  'endOtherSessions',
  'endViewAs',
  // Reactivation
  'requestReactivation',
  'listReactivationRequests',
  'exportReactivationRequests',
  // Export
  'createExport',
  'listExports',
  'exportAccountExports',
  'streamExports',
  'getExport',
  'downloadExport',
  // Reading billing
  'getBilling',
  'previewPlanChange',
  'listOrders',
  'exportOrders',
  'listInvoices',
  'exportInvoices',
  'getInvoice',
  'getInvoicePdf',
  // Plan requests
  'createPlanRequest',
  'listPlanRequests',
  'exportPlanRequests',
  'getPlanRequest',
  'cancelPlanRequest',
  // Several calls at once, each of which is refused by itself
  'readTogether',
  'followTogether',
  // Shown files
  'readFile',
]);
