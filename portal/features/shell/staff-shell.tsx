import { useQuery } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { formatDuration } from '../../lib/format.ts';
import { meQuery } from '../../lib/me.ts';
import { PortalMark } from '../../ui/layout.tsx';
import { Mark, type MarkKind } from '../../ui/mark.tsx';
import { Face, type PlaceGroup } from './face.tsx';
import { engineQuery } from './queries.ts';

/** The staff's face: every agency, and the health of the engine at the foot. */
export function StaffShell({ children }: { children: ReactNode }) {
  const me = useQuery(meQuery);
  useEffect(() => { delete document.body.dataset.face; }, []);
  const groups: PlaceGroup[] = [
    { places: [{ to: '/admin/partners', icon: <Building2 />, word: 'Partners', go: 'p' }] },
  ];
  const mark = <><PortalMark /><span className="rail-word">Portal</span><small className="rail-word ml-auto rounded-[4px] border border-line px-1.5 text-2xs font-medium text-ink-3">Staff</small></>;
  return (
    <Face face="staff" mark={mark} groups={groups} foot={<EngineFoot />} place={<b className="font-medium">Staff</b>} isSandbox={me.data?.sandbox ?? false}>
      {children}
    </Face>
  );
}

const ENGINE: Record<'ok' | 'degraded' | 'down' | 'disabled', [MarkKind, string]> = {
  ok: ['ok', 'Engine healthy'], degraded: ['warn', 'Engine slow'], down: ['bad', 'Engine down'], disabled: ['pause', 'Engine off'],
};

function EngineFoot() {
  const { data, isError } = useQuery(engineQuery);
  if (!data && !isError) return null;
  const [mark, words] = data ? ENGINE[data.health] : (['warn', 'Engine unknown'] as const);
  return (
    <p className="num flex items-center gap-2 text-xs">
      <Mark kind={mark} />
      {words}
      {data?.responseMs == null ? null : <span className="ml-auto text-ink-3">{formatDuration(data.responseMs)}</span>}
    </p>
  );
}
