--- Questions to the notes: a scratch buffer that an answer is written into as it comes, with citations to
--- follow. Knows the protocol and the buffer; all about notes and who writes answers is in the server.

local M = {}

---@class knapper.Place
---@field number integer?
---@field path string
---@field uri string
---@field range lsp.Range
---@field heading string?
---@field quote string?
---@field changed boolean?

---@class knapper.Asked What is asked: typed text, or what stands at a range of a note.
---@field question string?
---@field origin { uri: string, range: lsp.Range }? Where the question was selected.
---@field at { uri: string, range: lsp.Range? }? What is asked about, if there is no question.
---@field dry_run boolean?
---@field mods table?

---@class knapper.Turn One question with what has come of its answer.
---@field question string
---@field first integer The turn's first line in the buffer, from 0.
---@field text string
---@field citations table<integer, knapper.Place> By number.
---@field places table<integer, knapper.Place> By line of the turn, from 0.
---@field doing string? What the server does just now.
---@field request integer?
---@field result table?
---@field trouble string?

---@class knapper.Conversation One buffer.
---@field bufnr integer
---@field client_id integer
---@field note integer The buffer that it was begun from.
---@field from integer The window that citations are followed in.
---@field id string? The server's name for it.
---@field turns knapper.Turn[]

---@type table<integer, knapper.Conversation>
local conversations = {}
---@type knapper.Conversation?
local latest
---@type table<string, { conversation: knapper.Conversation, turn: knapper.Turn }>
local streams = {}
local count = 0

local function say(text, level)
  vim.notify(text, level or vim.log.levels.INFO)
end

--- A value of the server's, or nil where JSON has null or an empty text.
local function given(value)
  return value ~= vim.NIL and value ~= "" and value or nil
end

--- A quote on one line, without the rest if it is long.
local function shortened(quote)
  local line = vim.trim(quote):gsub("%s+", " ")
  local short = vim.fn.strcharpart(line, 0, 300)
  return short == line and line or short .. "…"
end

---@param place knapper.Place
local function where(place)
  local heading = given(place.heading)
  return ("%s:%d%s%s"):format(
    place.path,
    place.range.start.line + 1,
    heading and (" › " .. heading) or "",
    given(place.changed) and " (changed since)" or ""
  )
end

--- Adds a heading and what stands below it, each with the place that `<CR>` leads to; nothing if there is nothing.
local function section(lines, places, title, items, line_of)
  if not items or #items == 0 then
    return
  end
  vim.list_extend(lines, { "", "## " .. title, "" })
  for _, item in ipairs(items) do
    local shown = vim.split(line_of(item), "\n")
    for _, line in ipairs(shown) do
      lines[#lines + 1] = line
      places[#lines - 1] = type(item) == "table" and item or nil
    end
  end
end

--- The lines after the answer's text: sources, what else was looked at, and what the person should know.
local function after_text(lines, places, result)
  section(lines, places, "Sources", result.citations, function(place)
    -- Without a provider the answer is made of the quotes already.
    local quote = given(result.sent) and given(place.quote)
    local source = ("[%d] %s"):format(place.number, where(place))
    return quote and ("%s\n    %s"):format(source, shortened(quote)) or source
  end)
  section(lines, places, "Also looked at", result.alsoRetrieved, where)
  local function listed(text)
    return "- " .. text:gsub("%s+", " ")
  end
  section(lines, places, "Not borne out by the note they cite", result.unverified, listed)
  local remarks = vim.list_extend({}, result.remarks or {})
  local sent = given(result.sent)
  if sent then
    local line = "Written by %s at %s, which was sent passages of %d notes (about %d tokens)."
    table.insert(remarks, line:format(result.model, sent.host, #sent.notes, sent.tokens))
  end
  section(lines, places, "Remarks", remarks, listed)
end

--- What would be sent, for a dry run.
local function dry_run_lines(lines, places, run)
  if run.host == "" then
    return table.insert(lines, "Nothing would be sent.")
  end
  vim.list_extend(lines, { ("Nothing was sent. %s would be sent about %d tokens:"):format(run.host, run.tokens), "" })
  vim.list_extend(lines, vim.split("    " .. run.body:gsub("\n", "\n    "), "\n"))
  section(lines, places, "Passages", run.passages, where)
end

---@param turn knapper.Turn
---@return string[] lines
---@return table<integer, knapper.Place> places
local function shown(turn)
  local result = turn.result
  local question = result and given(result.question) or turn.question
  local lines, places = { "# " .. question:gsub("%s+", " "), "" }, {}
  local dry_run = result and given(result.dryRun)
  if dry_run then
    dry_run_lines(lines, places, dry_run)
    section(lines, places, "Remarks", result.remarks, function(text)
      return "- " .. text
    end)
    return lines, places
  end
  local text = result and given(result.answer) or turn.text
  if text ~= "" then
    vim.list_extend(lines, vim.split(vim.trim(text):gsub("\r", ""), "\n"))
  end
  if result then
    after_text(lines, places, result)
    return lines, places
  end
  local state = turn.trouble or turn.request and ("*%s …*"):format(turn.doing or "Looking in the notes")
  if state then
    vim.list_extend(lines, text ~= "" and { "", state } or { state })
  end
  return lines, places
end

--- Writes a turn anew, from its first line to the end of the buffer.
---@param conversation knapper.Conversation
---@param turn knapper.Turn
local function draw(conversation, turn)
  local bufnr = conversation.bufnr
  if not conversations[bufnr] then
    return
  end
  local lines
  lines, turn.places = shown(turn)
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, turn.first, -1, false, lines)
  vim.bo[bufnr].modifiable = false
end

---@param conversation knapper.Conversation
---@return knapper.Turn?
local function running(conversation)
  local turn = conversation.turns[#conversation.turns]
  return turn and turn.request and turn or nil
end

--- The server that was asked; after a restart another one, which knows the notes but not what was said.
---@param conversation knapper.Conversation
---@return vim.lsp.Client?
local function client_of(conversation)
  return vim.lsp.get_client_by_id(conversation.client_id) or vim.lsp.get_clients({ name = "knapper" })[1]
end

--- Hang up: the server stops asking at once, what has come stays.
---@param conversation knapper.Conversation
local function stop(conversation)
  local turn = running(conversation)
  local client = vim.lsp.get_client_by_id(conversation.client_id)
  if turn and client then
    client:cancel_request(turn.request)
    turn.request, turn.trouble = nil, "*Stopped.*"
    draw(conversation, turn)
  end
end

--- The place of the marker `[n]` at or after a column of a line, else of the last one before it.
local function cited(turn, line, column)
  local last
  for start, number, behind in line:gmatch("()%[(%d+)%]()") do
    local place = turn.citations[tonumber(number)]
    last = place or last
    if place and column < behind - 1 then
      return place, start
    end
  end
  return last
end

--- Open the passage behind the citation under the cursor, in the window that the question came from.
function M.follow()
  local bufnr = vim.api.nvim_get_current_buf()
  local conversation = conversations[bufnr]
  if not conversation then
    return say("This answer is gone")
  end
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local turn
  for _, one in ipairs(conversation.turns) do
    turn = one.first < row and one or turn
  end
  local place = turn
    and (turn.places[row - 1 - turn.first] or cited(turn, vim.api.nvim_get_current_line(), column))
  if not place then
    return say("There is no citation on this line")
  end
  local answer = vim.api.nvim_get_current_win()
  local back = conversation.from
  if back ~= answer and vim.api.nvim_win_is_valid(back) then
    vim.api.nvim_set_current_win(back)
  else
    vim.cmd("aboveleft split")
    conversation.from = vim.api.nvim_get_current_win()
  end
  vim.lsp.util.show_document({ uri = place.uri, range = place.range }, "utf-16", { focus = true })
end

---@param conversation knapper.Conversation
---@param mods table?
local function open_window(conversation, mods)
  local window = vim.fn.bufwinid(conversation.bufnr)
  if vim.api.nvim_get_current_buf() ~= conversation.bufnr then
    conversation.from = vim.api.nvim_get_current_win()
  end
  if window == -1 then
    vim.cmd({ cmd = "split", mods = mods and next(mods) and mods or { split = "botright" } })
    vim.api.nvim_win_set_buf(0, conversation.bufnr)
    vim.wo[0][0].wrap = true
    vim.wo[0][0].linebreak = true
  else
    vim.api.nvim_set_current_win(window)
  end
end

---@param client vim.lsp.Client
---@param note integer
---@return knapper.Conversation
local function begin(client, note)
  count = count + 1
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(bufnr, "knapper://answer/" .. count)
  vim.bo[bufnr].bufhidden = "hide"
  vim.bo[bufnr].modifiable = false
  local conversation = {
    bufnr = bufnr,
    client_id = client.id,
    note = note,
    from = vim.api.nvim_get_current_win(),
    turns = {},
  }
  conversations[bufnr], latest = conversation, conversation
  vim.bo[bufnr].filetype = "markdown"
  vim.keymap.set("n", "<CR>", M.follow, { buffer = bufnr, desc = "Open the passage that is cited here" })
  vim.keymap.set("n", "<C-c>", function()
    stop(conversation)
  end, { buffer = bufnr, desc = "Stop answering" })
  vim.api.nvim_create_autocmd({ "BufDelete", "BufWipeout" }, {
    buffer = bufnr,
    callback = function()
      conversations[bufnr] = nil
      stop(conversation)
      latest = latest ~= conversation and latest or nil
    end,
  })
  return conversation
end

--- The answer is there, or there will be none.
---@param conversation knapper.Conversation
---@param turn knapper.Turn
local function finish(conversation, turn, err, result)
  turn.request = nil
  if err then
    turn.trouble = err.message
  elseif result then
    turn.result = result
    conversation.id = given(result.conversation) or conversation.id
    for _, place in ipairs(result.citations) do
      turn.citations[place.number] = place
    end
  end
  draw(conversation, turn)
end

--- Send a question; its answer comes in pieces, by `M.on_progress`, and at the end whole.
---@param conversation knapper.Conversation
---@param asked knapper.Asked
local function send(conversation, asked)
  local client = client_of(conversation)
  if not client then
    return say("knapper is not running any more", vim.log.levels.WARN)
  end
  conversation.client_id = client.id
  local bufnr = conversation.bufnr
  local turn = { question = asked.question or "…", first = 0, text = "", citations = {}, places = {} }
  if #conversation.turns > 0 then
    -- A blank line between the turns, which belongs to neither.
    turn.first = vim.api.nvim_buf_line_count(bufnr) + 1
    vim.bo[bufnr].modifiable = true
    vim.api.nvim_buf_set_lines(bufnr, -1, -1, false, { "" })
  end
  table.insert(conversation.turns, turn)
  count = count + 1
  local pieces, work = "knapper.ask/" .. count, "knapper.ask/progress/" .. count
  streams[pieces] = { conversation = conversation, turn = turn }
  streams[work] = streams[pieces]
  local function done(err, result)
    streams[pieces], streams[work] = nil, nil
    finish(conversation, turn, err, result)
  end
  local is_first = conversation.id == nil
  local attached = vim.lsp.buf_is_attached(conversation.note, client.id)
  local _, request = client:request("knapper/ask", {
    question = asked.question,
    conversation = conversation.id,
    origin = asked.origin,
    uri = asked.at and asked.at.uri,
    range = asked.at and asked.at.range,
    dryRun = asked.dry_run or nil,
    vault = is_first and attached and vim.uri_from_bufnr(conversation.note) or nil,
    partialResultToken = pieces,
    workDoneToken = work,
  }, done, conversation.note)
  turn.request = request
  draw(conversation, turn)
  vim.api.nvim_win_set_cursor(0, { turn.first + 1, 0 })
  vim.cmd.normal({ "zt", bang = true })
end

--- A piece of an answer, or what the server does meanwhile. False if it belongs to something else.
---@param params lsp.ProgressParams
---@return boolean
function M.on_progress(params)
  local stream = streams[params.token]
  if not stream then
    return false
  end
  local turn, value = stream.turn, params.value
  if value.text then
    turn.text = turn.text .. value.text
  elseif value.citation then
    turn.citations[value.citation.number] = value.citation
  elseif value.kind then
    turn.doing = value.message or value.title or turn.doing
  end
  if turn.request then
    draw(stream.conversation, turn)
  end
  return true
end

--- Ask a question in a new buffer.
---@param client vim.lsp.Client
---@param bufnr integer The note that is asked from.
---@param asked knapper.Asked
function M.ask(client, bufnr, asked)
  local conversation = begin(client, bufnr)
  open_window(conversation, asked.mods)
  send(conversation, asked)
end

--- Ask on in the conversation of this buffer, or in the last one; without a question one is asked for.
---@param question string?
function M.more(question)
  local conversation = conversations[vim.api.nvim_get_current_buf()] or latest
  if not conversation then
    return say("Nothing was asked yet: begin with :KnapperAsk", vim.log.levels.WARN)
  elseif running(conversation) then
    return say("The answer is still being written; <C-c> in its window stops it", vim.log.levels.WARN)
  elseif not given(question) then
    return M.input("Ask on: ", "", M.more)
  end
  open_window(conversation)
  send(conversation, { question = question })
end

--- Save the conversation's last answer as a note, which the server opens.
---@param title string?
function M.save(title)
  local conversation = conversations[vim.api.nvim_get_current_buf()] or latest
  local client = conversation and client_of(conversation)
  if not client or not conversation.id then
    return say("There is no answer to save", vim.log.levels.WARN)
  end
  if vim.api.nvim_win_is_valid(conversation.from) then
    vim.api.nvim_set_current_win(conversation.from)
  end
  local arguments = { { conversation = conversation.id, title = given(title) } }
  client:request(
    "workspace/executeCommand",
    { command = "knapper.saveAnswer", arguments = arguments },
    function(err)
      if err then
        say(err.message, vim.log.levels.ERROR)
      end
    end,
    conversation.note
  )
end

--- Have a question typed, and give it on.
---@param prompt string
---@param default string
---@param use fun(question: string)
function M.input(prompt, default, use)
  vim.ui.input({ prompt = prompt, default = default }, function(typed)
    if typed and vim.trim(typed) ~= "" then
      use(vim.trim(typed))
    end
  end)
end

--- The text of a range of lines, or of the last visual selection if it is what the range came from; and where.
---@param bufnr integer
---@param line1 integer
---@param line2 integer
---@return string text
---@return lsp.Range range
function M.selected(bufnr, line1, line2)
  local from, to = vim.fn.getpos("'<"), vim.fn.getpos("'>")
  local last = vim.fn.getline(line2)
  local start, stop_at = { line1, 0 }, { line2, 0 }
  if last ~= "" then
    stop_at[2] = #last - 1 + vim.str_utf_start(last, #last)
  end
  local text = table.concat(vim.api.nvim_buf_get_lines(bufnr, line1 - 1, line2, false), "\n")
  if vim.fn.visualmode() == "v" and from[2] == line1 and to[2] == line2 then
    text = table.concat(vim.fn.getregion(from, to, { type = "v" }), "\n")
    start, stop_at = { line1, from[3] - 1 }, { line2, math.max(math.min(to[3], #last) - 1, 0) }
  end
  return text, vim.lsp.util.make_given_range_params(start, stop_at, bufnr, "utf-16").range
end

return M
