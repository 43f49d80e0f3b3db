-- Runs of conversations that ended with timeout and may still end in the engine: few, and asked about each minute.
create index execution_timed_out_turns on execution (finished_at) where source = 'chatbot' and status = 'FAILED' and error_code = 'timeout' and not late;
