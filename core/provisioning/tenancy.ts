import type { TenancyMode } from '@partner-portal/contract/vocabulary.ts';

/**
 * What it means for staff that agencies were set up in another tenancy mode than AUTOMATION_TENANCY_MODE names now; null when there are none.
 * See docs/behaviour/provisioning.md.
 */
export function explainOtherTenancy(mode: TenancyMode, agencies: number): string | null {
  if (agencies === 0) return null;
  const [were, they] = agencies === 1 ? ['1 agency was', 'It keeps running'] : [`${agencies} agencies were`, 'They keep running'];
  return mode === 'project'
    ? `${were} set up in shared tenancy, but AUTOMATION_TENANCY_MODE is "project". ${they} in the shared project, where a repair leaves ${agencies === 1 ? 'it' : 'them'}. A recreate or a provision moves an agency into a project of its own, which the engine’s plan must allow.`
    : `${were} set up in project tenancy, but AUTOMATION_TENANCY_MODE is "shared". ${they} in ${agencies === 1 ? 'a project of its' : 'projects of their'} own, where a repair leaves ${agencies === 1 ? 'it' : 'them'}. A recreate or a provision moves an agency into the shared project.`;
}
