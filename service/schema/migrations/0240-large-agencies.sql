-- Policies and joins compare partner_id with a value that the planner does not know, and it expects the rows of an average agency: a few of a hundred thousand.
-- For one that has a tenth of them it then read all its clients for each row of a page. It now expects a twentieth of the table for anyone, which costs a small agency nothing.
do $$
declare
  name text;
begin
  foreach name in array array['agent_request', 'alert', 'chatbot', 'client', 'conversation', 'credential', 'notification', 'workflow'] loop
    execute format('alter table %I alter column partner_id set (n_distinct = 20)', name);
  end loop;
end $$;
analyze agent_request, alert, chatbot, client, conversation, credential, notification, workflow;
