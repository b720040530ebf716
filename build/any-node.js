/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-member-access, typescript/no-floating-promises -- it has no types */
// What Node from the PATH reads first, however old it is: all else asks for a new one.
var LEAST = 26;
if (parseInt(process.versions.node, 10) >= LEAST) {
	import('./cli.js');
} else {
	process.exitCode = 1;
	console.error(
		'rentty: This is Node ' +
			process.versions.node +
			', and rentty needs ' +
			LEAST +
			': npm install -g rentty-with-node brings it along (in a checkout: npm install --include=optional), and the single file of a release needs none.',
	);
}
