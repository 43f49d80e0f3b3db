import { account } from './account.ts';
import { bot } from './bot.ts';
import { chat } from './chat.ts';
import { clientHome } from './client-home.ts';
import { clientPeople } from './client-people.ts';
import { client } from './client.ts';
import { common } from './common.ts';
import { csv } from './csv.ts';
import { fieldProblem } from './field-problem.ts';
import { inbox } from './inbox.ts';
import { install } from './install.ts';
import { lifecycle } from './lifecycle.ts';
import { login } from './login.ts';
import { mail } from './mail.ts';
import { notFound } from './not-found.ts';
import { notifications } from './notifications.ts';
import { picture } from './picture.ts';
import { problem } from './problem.ts';
import { reportPage } from './report-page.ts';
import { report } from './report.ts';
import { runs } from './runs.ts';
import { stopList } from './stop-list.ts';
import { textChanges } from './text-changes.ts';
import { trust } from './trust.ts';
import { ui } from './ui.ts';
import { unsubscribe } from './unsubscribe.ts';

/** One file per area of the product. */
export const de = {
  ...account,
  ...bot,
  ...chat,
  ...clientHome,
  ...clientPeople,
  ...client,
  ...common,
  ...csv,
  ...fieldProblem,
  ...inbox,
  ...install,
  ...lifecycle,
  ...login,
  ...mail,
  ...notFound,
  ...notifications,
  ...picture,
  ...problem,
  ...reportPage,
  ...report,
  ...runs,
  ...stopList,
  ...textChanges,
  ...trust,
  ...ui,
  ...unsubscribe,
};
