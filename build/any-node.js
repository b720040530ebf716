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
			': ' +
			remedy(process.argv[1]) +
			', and the single file of a release needs none.',
	);
}

// By where it is installed: npm puts no program in the place of another package's.
function remedy(file) {
	if (/node_modules.rentty-with-node.dist/.test(file))
		return 'npm install -g --include=optional rentty-with-node brings it along';
	if (/node_modules.rentty.dist/.test(file))
		return 'npm uninstall -g rentty && npm install -g rentty-with-node brings it along';
	return 'npm install --include=optional brings it along';
}
