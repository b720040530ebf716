/** Text of `rentty --help`. */
import {commands} from './index.ts';
import {programs} from './programs.ts';

const lines = [...commands, ...programs].map(
	({name, summary}) => `  rentty ${name.padEnd(13)}${summary}`,
);

export const usage = `Usage: rentty [options]
       rentty COMMAND [options]

Browse GPU offers in this terminal. With no service given, rentty opens on a practice
market of its own: real HTTP on this machine, nothing to pay.

  --url URL           the service to talk to, with --key-file
  --key-file FILE     a file that holds nothing but the API key
  --profile NAME      one of your profiles (screen 6), or practice
  --settings FILE     settings to use instead of the user's own
  --theme NAME        default, light, high-contrast, colour-blind or mono
  --ascii             draw with ASCII signs alone
  --screen-reader     lines to be read out, in the place of a screen
  --help              this text
  --version           the version

Commands, each with --help and --json:

${lines.join('\n')}

Environment: RENTTY_URL and RENTTY_API_KEY name a service and its key, RENTTY_PROFILE a
profile. Without any of them rentty opens the profile that was used last.
RENTTY_SCREEN_READER=1 does what --screen-reader does.
Where standard output is not a terminal, the offers are printed as plain text.
`;
