import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronDown, House, Users } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { formatNumber } from '../../lib/format.ts';
import { meQuery } from '../../lib/me.ts';
import { useUser } from '../../lib/session.ts';
import { AgencyMark } from '../../ui/layout.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Listbox, PickerPopover } from '../../ui/select.tsx';
import { Face, type PlaceGroup } from './face.tsx';
import { quotaQuery, switcherClientsQuery } from './queries.ts';

/** The agency's dashboard: rail, client switcher, credits. The product keeps its accent; only logo and name are the agency's. */
export function AgencyShell({ children }: { children: ReactNode }) {
  const user = useUser();
  const me = useQuery(meQuery);
  useEffect(() => { delete document.body.dataset.face; }, []);
  const groups: PlaceGroup[] = [
    { places: [{ to: '/dashboard', icon: <House />, word: 'Overview', go: 'o', exact: true }] },
  ];
  const mark = <><AgencyMark name={user.partner.name} logoUrl={user.partner.logoUrl} /><span className="rail-word truncate">{user.partner.name}</span></>;
  return (
    <Face face="agency" mark={mark} groups={groups} foot={<CreditsFoot />} place={<ClientSwitcher />} isSandbox={me.data?.sandbox ?? false}>
      {children}
    </Face>
  );
}

function CreditsFoot() {
  const { data } = useQuery(quotaQuery);
  if (!data) return null;
  return (
    <Link to="/dashboard" className="block">
      <span className="num mb-1.5 flex justify-between text-xs"><span className="text-ink-3">Credits</span><span>{formatNumber(data.used)}<span className="text-ink-3"> / {formatNumber(data.limit)}</span></span></span>
      <Meter used={data.used} limit={data.limit} small label="Credits used this month" />
    </Link>
  );
}

const ALL = 'all';

/** One client or all of them. The choice filters every page and lives in the address. */
function ClientSwitcher() {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const { client } = useSearch({ from: '/dashboard' });
  const { data } = useQuery({ ...switcherClientsQuery, enabled: isOpen || client !== undefined });
  const options = [{ value: ALL, label: 'All clients' }, ...(data ?? []).map(({ id, name }) => ({ value: id, label: name }))];
  const chosen = options.find((option) => option.value === (client ?? ALL))?.label ?? 'One client';
  const pick = (value: string): void => {
    setOpen(false);
    void navigate({ to: '.', search: (before) => ({ ...before, client: value === ALL ? undefined : value }) });
  };
  return (
    <PickerPopover
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className="-ml-2 flex h-[30px] min-w-0 items-center gap-2 rounded-md px-2 font-medium hover:bg-hover" aria-haspopup="listbox" aria-label={`Client: ${chosen}`}>
          <Users className="icon text-ink-2" aria-hidden />
          <span className="truncate">{chosen}</span>
          <ChevronDown className="icon-sm" aria-hidden />
        </button>
      }
    >
      <Listbox options={options} value={client ?? ALL} label="Clients" onPick={pick} />
    </PickerPopover>
  );
}
