-- More tables whose filters users keep.
alter table saved_filter drop constraint saved_filter_list_check;
alter table saved_filter add constraint saved_filter_list_check check (list in ('clients', 'agents', 'runs', 'requests', 'deliveries', 'ledger', 'audit',
  'partners', 'users', 'inbox', 'alerts', 'invoices', 'mail', 'subscribers', 'imports'));
