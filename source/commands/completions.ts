/** `rentty completions`: what a shell needs to complete the words of rentty. */
import {UsageError} from '../renter/text/usage-error.ts';
import type {Command} from './command.ts';
import {exitCodes} from './failure.ts';

/** Each asks `rentty complete` with the words so far, of which the last is the one at the cursor. */
export const completionScripts = {
	bash: `_rentty() {
	local words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
	local IFS=$'\\n'
	COMPREPLY=($(rentty complete -- "\${words[@]}" 2>/dev/null | cut -f 1))
	COMPREPLY=($(compgen -W "\${COMPREPLY[*]}" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _rentty rentty
`,
	zsh: `#compdef rentty
_rentty() {
	local -a found
	local line
	for line in "\${(@f)$(rentty complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
		[[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
	done
	if (( $#found )); then _describe rentty found; else _files; fi
}
if [[ $funcstack[1] == _rentty ]]; then _rentty "$@"; else compdef _rentty rentty; fi
`,
	fish: `function __rentty
	set -l words (commandline -opc) (commandline -ct)
	rentty complete -- $words[2..-1] 2>/dev/null
end
complete -c rentty -a '(__rentty)'
`,
} as const;

export const completions: Command = {
	name: 'completions',
	summary: 'print what bash, zsh or fish need to complete words',
	takes: 'bash|zsh|fish',
	names: 'shells',
	about: [
		'Prints a script that completes commands, options, and the numbers and labels of what is rented:',
		'bash: source <(rentty completions bash) in ~/.bashrc; zsh: the same in ~/.zshrc, after compinit;',
		'fish: rentty completions fish > ~/.config/fish/completions/rentty.fish',
	],
	options: {},
	async run({words: [shell, ...others], output}) {
		const scripts: Readonly<Record<string, string>> = completionScripts;
		const script = others.length === 0 ? scripts[shell ?? ''] : undefined;
		if (script === undefined) {
			throw new UsageError('rentty completions takes bash, zsh or fish.');
		}
		output.text(script.trimEnd());
		return exitCodes.fine;
	},
};
