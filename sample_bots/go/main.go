// A bot for Schmier: "bot rules" plays a sensible strategy, "bot random" any legal choice.
package main

import (
	"fmt"
	"os"

	"google.golang.org/protobuf/proto"

	pb "schmierbot/stubs/schmier/v1"
)

func main() {
	os.Exit(run(os.Args[1:]))
}

// run returns the exit code: 0 after a goodbye or when the referee is gone, 1 when the bot was
// refused or found no referee, 2 when it was not started as it should be.
func run(arguments []string) int {
	var bot Bot = Rules{}
	name := "rule based go"
	switch {
	case len(arguments) == 1 && arguments[0] == "random":
		bot, name = Random{}, "random legal go"
	case len(arguments) > 1 || len(arguments) == 1 && arguments[0] != "rules":
		return fail(2, "usage: bot [rules|random], not %q", arguments)
	}
	target, token := os.Getenv("SCHMIER_REFEREE"), os.Getenv("SCHMIER_TOKEN")
	for _, variable := range []string{"SCHMIER_REFEREE", "SCHMIER_TOKEN"} {
		if os.Getenv(variable) == "" {
			return fail(2, "%s is not set: a bot is started by the referee. Try: schmier-referee "+
				"match A B C, with the command of this bot as one of the three", variable)
		}
	}
	end, err := converse(bot, &pb.Hello{
		Token:    token,
		Name:     name,
		Version:  "1",
		Revision: pb.Revision_REVISION_ONE.Enum(),
		MaxBatch: proto.Int32(64),
	}, target)
	if err != nil {
		return fail(1, "%v", err)
	}
	switch end.goodbye.GetReason() {
	case pb.GoodbyeReason_GOODBYE_REASON_REFUSED, pb.GoodbyeReason_GOODBYE_REASON_REPLACED:
		say("goodbye from the referee: %s", end.goodbye.Text)
	}
	if end.welcomed {
		return 0
	}
	if end.goodbye == nil {
		say("no referee at %s: %s", target, end.details)
	}
	return 1
}

// fail says why the bot cannot play, and returns the exit code.
func fail(code int, format string, values ...any) int {
	say(format, values...)
	return code
}

// say prints one line for the bot's author.
func say(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
}
