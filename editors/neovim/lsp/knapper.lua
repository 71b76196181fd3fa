-- The configuration that `vim.lsp.enable("knapper")` reads. Override parts of it with `vim.lsp.config("knapper", {...})`.

---@type vim.lsp.Config
return {
  cmd = { "knapper", "serve" },
  filetypes = { "markdown" },
  root_markers = { { ".obsidian", ".knapper.toml" }, ".git" },
  -- Neovim 0.11 draws lenses again when it is asked to, but does not say so by itself.
  capabilities = { workspace = { codeLens = { refreshSupport = true } } },
  settings = { knapper = {} },
  handlers = {
    ["workspace/codeLens/refresh"] = function(_, _, ctx)
      require("knapper").refresh_lenses(ctx.client_id)
      return vim.NIL
    end,
    -- Answers come in pieces, by the same way as news of long work.
    ["$/progress"] = function(err, params, ctx)
      if not require("knapper.ask").on_progress(params) then
        return vim.lsp.handlers["$/progress"](err, params, ctx)
      end
    end,
  },
  commands = {
    -- What a lens counts: the server would offer a choice, the location list shows more.
    ["knapper.showReferences"] = function(command, ctx)
      require("knapper").show_references(ctx.client_id, ctx.bufnr, command)
    end,
    ["knapper.related"] = function(command, ctx)
      require("knapper").show_related(ctx.client_id, ctx.bufnr, command)
    end,
    ["knapper.ask"] = function(command, ctx)
      require("knapper").ask_about(ctx.client_id, ctx.bufnr, command)
    end,
  },
  on_attach = function(client, bufnr)
    require("knapper").attach(client, bufnr)
  end,
}
