-- Switches the server on for Markdown files and gives its requests names to type.
-- Set `vim.g.knapper_enable = false` before this is loaded to call `vim.lsp.enable("knapper")` yourself.

if vim.g.loaded_knapper then
  return
end
vim.g.loaded_knapper = true

if vim.fn.has("nvim-0.11") == 0 then
  vim.notify("knapper needs Neovim 0.11 or later", vim.log.levels.WARN)
  return
end

local command = vim.api.nvim_create_user_command

command("KnapperSearch", function(given)
  require("knapper").search(given.args)
end, { nargs = "*", desc = "Search the vault; the hits go to the quickfix list" })

command("KnapperBacklinks", function()
  require("knapper").backlinks()
end, { desc = "List the notes that link to this one, and those that mention it" })

command("KnapperRelated", function()
  require("knapper").related()
end, { desc = "List the notes that are related to this one, each at the passage that makes it related" })

command("KnapperAsk", function(given)
  require("knapper").ask(given.args, given)
end, { nargs = "*", range = true, bang = true, desc = "Ask the notes; with ! show what would be sent, and to whom" })

command("KnapperAskMore", function(given)
  require("knapper.ask").more(given.args)
end, { nargs = "*", desc = "Ask on, about the last answer" })

command("KnapperAskSave", function(given)
  require("knapper.ask").save(given.args)
end, { nargs = "*", desc = "Save the last answer as a note" })

command("KnapperStatus", function()
  require("knapper").status()
end, { desc = "Say what the index holds and whether it is up to date" })

command("KnapperRebuild", function()
  require("knapper").rebuild()
end, { desc = "Drop the index and build it anew" })

if vim.g.knapper_enable ~= false then
  vim.lsp.enable("knapper")
end
