import { useState, useSyncExternalStore } from 'react';
import { idParam, onlySet } from '../../app/search-params.ts';
import type { Choice } from './plan-choice.tsx';
import { SignupPage } from './signup-page.tsx';

/** The application at its address: the chosen plan is in the URL, so that it can be linked to. HTML that came from the build does not know it. */
export function Signup() {
  const search = useSyncExternalStore(
    never,
    () => location.search,
    () => '',
  );
  const [chosen, setChosen] = useState<Choice>();
  const choose = (choice: Choice): void => {
    setChosen(choice);
    const query = new URLSearchParams(Object.entries(choice).map(([name, value]) => [name, String(value)]));
    history.replaceState(history.state, '', query.size === 0 ? location.pathname : `?${query}`);
  };
  return <SignupPage choice={chosen ?? readChoice(new URLSearchParams(search))} onChoice={choose} />;
}

/** Only `choose` changes it. */
const never = () => () => undefined;

function readChoice(query: URLSearchParams): Choice {
  return onlySet(query.get('trial') === 'true' ? { trial: true } : { plan: idParam(query.get('plan')) });
}
