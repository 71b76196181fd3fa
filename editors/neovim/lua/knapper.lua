--- What Neovim does not do by itself for a language server: completion while typing, lenses that stay
--- fresh, and lists for the requests that only knapper has. Knows the protocol, not how notes work.

local M = {}

--- The knapper client of a buffer, or nil with a message.
---@param bufnr integer
---@return vim.lsp.Client?
local function client_of(bufnr)
  local client = vim.lsp.get_clients({ name = "knapper", bufnr = bufnr })[1]
    or vim.lsp.get_clients({ name = "knapper" })[1]
  if not client then
    vim.notify("knapper is not running here: open a Markdown file of the vault first", vim.log.levels.WARN)
  end
  return client
end

--- Send one of our own requests; an error becomes a message, a result goes to `show`.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param bufnr integer
---@param show fun(result: table)
local function ask(client, method, params, bufnr, show)
  client:request(method, next(params) and params or vim.empty_dict(), function(err, result)
    if err then
      vim.notify(("%s: %s"):format(method, err.message), vim.log.levels.ERROR)
    elseif result then
      show(result)
    end
  end, bufnr)
end

--- Things with `uri` and `range` as entries of a quickfix or location list, in their order. Where `text_of`
--- gives no text the entry shows the line.
---@param client vim.lsp.Client
---@param items table[]
---@param text_of fun(item: table): string?
local function entries(client, items, text_of)
  return vim.tbl_map(function(item)
    local place = { uri = item.uri, range = item.range }
    local entry = vim.lsp.util.locations_to_items({ place }, client.offset_encoding)[1]
    entry.text = text_of(item) or entry.text
    entry.user_data = nil
    return entry
  end, items)
end

--- Draw the lenses of every buffer of a client again.
---@param client_id integer
function M.refresh_lenses(client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  for bufnr in pairs(client and client.attached_buffers or {}) do
    vim.lsp.codelens.refresh({ bufnr = bufnr })
  end
end

--- Completion while typing, and lenses that follow the text.
---@param client vim.lsp.Client
---@param bufnr integer
function M.attach(client, bufnr)
  if client:supports_method("textDocument/completion") then
    -- A menu that opens by itself must not insert by itself; names are found by any of their letters.
    vim.bo[bufnr].completeopt = "menuone,noselect,fuzzy,popup"
    vim.lsp.completion.enable(true, client.id, bufnr, { autotrigger = true })
  end
  if client:supports_method("textDocument/codeLens") then
    local group = vim.api.nvim_create_augroup("knapper.lens." .. bufnr, { clear = true })
    vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "BufWritePost" }, {
      group = group,
      buffer = bufnr,
      callback = function()
        vim.lsp.codelens.refresh({ bufnr = bufnr })
      end,
    })
    vim.lsp.codelens.refresh({ bufnr = bufnr })
  end
end

--- Fill and open the location list, or say that there is nothing to list.
---@param title string
---@param list table[]
---@param nothing string
local function show_list(title, list, nothing)
  if #list == 0 then
    vim.notify(nothing, vim.log.levels.INFO)
    return
  end
  vim.fn.setloclist(0, {}, " ", { title = title, items = list })
  vim.cmd.lopen()
end

--- Fill and open the location list; `unlinked` mentions come after the links.
---@param client vim.lsp.Client
---@param result table
local function list_backlinks(client, result)
  local list = entries(client, result.items, function(item)
    return item.text
  end)
  vim.list_extend(list, entries(client, result.unlinked or {}, function(item)
    return "(not linked) " .. item.text
  end))
  show_list("Backlinks", list, "No note links here")
end

--- List what a lens counts.
---@param client_id integer
---@param bufnr integer
---@param command lsp.Command
function M.show_references(client_id, bufnr, command)
  local client = assert(vim.lsp.get_client_by_id(client_id))
  -- Without `show` the server answers with the places and leaves the showing to us.
  local asked = vim.tbl_extend("force", command.arguments[1], {})
  asked.show = nil
  local params = { command = command.command, arguments = { asked } }
  ask(client, "workspace/executeCommand", params, bufnr, function(result)
    list_backlinks(client, result)
  end)
end

--- Fill and open the location list with related notes, each at the passage that makes it related.
---@param client vim.lsp.Client
---@param result table
local function list_related(client, result)
  local places = vim.tbl_map(function(item)
    return { uri = item.uri, range = item.why.there.range, text = item.title .. ": " .. item.why.there.text }
  end, result.items)
  local list = entries(client, places, function(place)
    return place.text
  end)
  show_list("Related notes", list, "No other note is related to this one")
end

--- List the related notes that a lens names.
---@param client_id integer
---@param bufnr integer
---@param command lsp.Command
function M.show_related(client_id, bufnr, command)
  local client = assert(vim.lsp.get_client_by_id(client_id))
  local asked = vim.tbl_extend("force", command.arguments[1], {})
  asked.show = nil
  ask(client, "knapper/related", asked, bufnr, function(result)
    list_related(client, result)
  end)
end

--- Notes related to the current one.
function M.related()
  local bufnr = vim.api.nvim_get_current_buf()
  local client = client_of(bufnr)
  if client then
    ask(client, "knapper/related", { uri = vim.uri_from_bufnr(bufnr) }, bufnr, function(result)
      list_related(client, result)
    end)
  end
end

--- Backlinks of the current note.
function M.backlinks()
  local bufnr = vim.api.nvim_get_current_buf()
  local client = client_of(bufnr)
  if client then
    ask(client, "knapper/backlinks", { uri = vim.uri_from_bufnr(bufnr) }, bufnr, function(result)
      list_backlinks(client, result)
    end)
  end
end

--- Search the vault; without a query one is asked for.
---@param query string?
function M.search(query)
  local bufnr = vim.api.nvim_get_current_buf()
  local client = client_of(bufnr)
  if not client then
    return
  end
  if not query or query == "" then
    vim.ui.input({ prompt = "Search the vault: " }, function(typed)
      if typed and typed ~= "" then
        M.search(typed)
      end
    end)
    return
  end
  ask(client, "knapper/search", { query = query }, bufnr, function(result)
    for _, remark in ipairs(result.remarks or {}) do
      vim.notify(remark, vim.log.levels.INFO)
    end
    local list = entries(client, result.items, function(item)
      local place = item.heading and item.heading ~= vim.NIL and item.heading ~= "" and item.heading or item.title
      return ("%s: %s"):format(place, (item.snippet:gsub("%s+", " ")))
    end)
    if #list == 0 then
      vim.notify("Nothing found for " .. query, vim.log.levels.INFO)
      return
    end
    vim.fn.setqflist({}, " ", { title = "Search: " .. query, items = list })
    vim.cmd.copen()
  end)
end

--- Ask the notes. Without a question the selected text is it, else one is asked for.
---@param question string?
---@param given { range: integer, line1: integer, line2: integer, bang: boolean, smods: table }?
function M.ask(question, given)
  local bufnr = vim.api.nvim_get_current_buf()
  local client = client_of(bufnr)
  if not client then
    return
  end
  local asking = require("knapper.ask")
  local asked = { question = question, dry_run = given and given.bang, mods = given and given.smods }
  local function send(typed)
    asking.ask(client, bufnr, vim.tbl_extend("force", asked, { question = typed }))
  end
  if question and question ~= "" then
    send(question)
  elseif given and given.range > 0 then
    local text, range = asking.selected(bufnr, given.line1, given.line2)
    asked.origin = { uri = vim.uri_from_bufnr(bufnr), range = range }
    send(text)
  else
    asking.input("Ask the notes: ", "", send)
  end
end

--- Ask about what an action points at.
---@param client_id integer
---@param bufnr integer
---@param command lsp.Command
function M.ask_about(client_id, bufnr, command)
  local client = assert(vim.lsp.get_client_by_id(client_id))
  local given = command.arguments[1]
  local asked = { question = given.question, at = { uri = given.uri, range = given.range } }
  require("knapper.ask").ask(client, bufnr, asked)
end

--- One line on the state of the index.
function M.status()
  local bufnr = vim.api.nvim_get_current_buf()
  local client = client_of(bufnr)
  if client then
    ask(client, "knapper/status", {}, bufnr, function(s)
      local line = "knapper is %s: %d notes, %d links, %d unresolved, %d changes pending"
      vim.notify(line:format(s.state, s.notes, s.links, s.unresolved, s.pending), vim.log.levels.INFO)
    end)
  end
end

--- Drop the index and build it anew.
function M.rebuild()
  local bufnr = vim.api.nvim_get_current_buf()
  local client = client_of(bufnr)
  if client then
    ask(client, "knapper/rebuild", {}, bufnr, function()
      vim.notify("The index is being built anew", vim.log.levels.INFO)
    end)
  end
end

return M
