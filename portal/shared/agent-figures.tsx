import { succeededPercent } from '@partner-portal/core/execution/succeeded.ts';
import { Badge } from '../ui/feedback/badge.tsx';

/** The template version in use, and the newer one when there is one. */
export function VersionBadge({
  agent: { templateVersion, latestTemplateVersion },
}: {
  agent: { templateVersion: number | null; latestTemplateVersion: number };
}) {
  if (templateVersion === null) return <span className="text-ink-3">–</span>;
  return (
    <Badge>
      v{templateVersion}
      {latestTemplateVersion > templateVersion ? `, v${latestTemplateVersion} available` : ''}
    </Badge>
  );
}

export function SuccessRate({ runs, failed }: { runs: number; failed: number }) {
  const share = succeededPercent({ runs, failed });
  if (share === null) return <span className="text-ink-3">–</span>;
  return <span className={share < 90 ? 'text-bad' : 'text-ink-2'}>{share.toFixed(1).replace('.0', '')}%</span>;
}
