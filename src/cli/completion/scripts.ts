/**
 * What a shell reads once to complete `orgdeck`. Each hands the line up to the cursor to `orgdeck __complete`, which prints
 * the word as it was typed, then one candidate a line: the value, a tab, and what it means.
 */
export const completionScripts = {
  bash: `# bash completion of orgdeck: source <(orgdeck completion bash)
_orgdeck() {
  local line=\${COMP_LINE:0:COMP_POINT} typed= known= value says quoted at
  local -a values=() meanings=()
  while IFS=$'\\t' read -r value says; do
    if [[ -z $known ]]; then
      typed=$value known=1
    else
      values+=("$value") meanings+=("$says")
    fi
  done < <("\${COMP_WORDS[0]}" __complete "$line" 2>/dev/null)
  # Readline replaces what stands behind the last of these signs, and nothing before it.
  local kept=
  [[ $typed == *[:=]* && $typed != [\\"\\']* ]] && kept=\${typed%"\${typed##*[:=]}"}
  COMPREPLY=()
  for at in "\${!values[@]}"; do
    quoted=\${values[at]}
    # A comma, which %q escapes, needs no quote.
    [[ $typed == [\\"\\']* || \${values[at]} != *[!][:alnum:]_.,:=@%+/-]* ]] || printf -v quoted %q "\${values[at]}"
    quoted=\${quoted#"$kept"}
    # Several are listed with their meanings, of which nothing is inserted.
    if ((\${#values[@]} > 1 && COMP_TYPE != 37 && COMP_TYPE != 42)) && [[ -n \${meanings[at]} ]]; then
      printf -v quoted '%-16s  (%s)' "$quoted" "\${meanings[at]}"
      quoted=\${quoted:0:\${COLUMNS:-80}-2}
    fi
    COMPREPLY+=("$quoted")
  done
}
complete -o default -o nosort -F _orgdeck orgdeck 2>/dev/null || complete -o default -F _orgdeck orgdeck
`,
  zsh: `#compdef orgdeck
# zsh completion of orgdeck: source <(orgdeck completion zsh)
_orgdeck() {
  local -a values shown how
  local value says known= wide=0 at
  while IFS=$'\\t' read -r value says; do
    if [[ -z $known ]]; then
      known=1
    else
      values+=("$value") shown+=("$says")
      (( \${#value} > wide )) && wide=\${#value}
    fi
  done < <("$words[1]" __complete "\${(j: :)words[1,CURRENT-1]} $QIPREFIX$PREFIX" 2>/dev/null)
  if (( ! $#values )); then
    _files
    return
  fi
  # One a line where something says what they mean; in the order in which they came, which _describe loses.
  if [[ -n \${(j::)shown} ]]; then
    how=(-l -d shown)
    for at in {1..$#values}; do
      says="\${(r:wide:)values[at]}  \${shown[at]}"
      shown[at]=\${says[1,COLUMNS-1]}
    done
  fi
  compadd -V orgdeck $how -a values
}
compdef _orgdeck orgdeck
`,
  fish: `# fish completion of orgdeck: orgdeck completion fish | source
function __orgdeck_complete
    set -l found (orgdeck __complete (commandline --cut-at-cursor --current-process) 2>/dev/null)
    if test (count $found) -gt 1
        printf '%s\\n' $found[2..-1]
    else
        __fish_complete_path (commandline --current-token)
    end
end
complete --command orgdeck --no-files --keep-order --arguments '(__orgdeck_complete)'
`,
} as const;
